/** What the tests of networks use, in one bundle. */
export { readNetwork, packNetwork } from '../../../src/models/network.ts';
export { runNetwork } from '../../../src/network/run.ts';
export { run } from '../../../src/runtime/stage.ts';
export { Runtime } from '../../../src/runtime/runtime.ts';
export { network } from '../../reference/network.ts';
export { networkMakers } from '../../parity/network.ts';
