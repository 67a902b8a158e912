/** What measure.mjs runs, in one bundle. */
export { readNetwork } from '../../../src/models/network.ts';
export { Runtime } from '../../../src/runtime/runtime.ts';
export { drive } from '../../../src/runtime/stage.ts';
export { resolveParameters } from '../../../src/runtime/parameters.ts';
export { vesselParameters } from '../../../src/vessels/parameters.ts';
export { findVessels } from '../../../src/vessels/segment/find-vessels.ts';
