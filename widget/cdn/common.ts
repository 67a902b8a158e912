/** What `window.foveola` has in every file of one element. */
import '../strings/de.ts';

export { createEngine } from '../../src/engine.ts';
export { setAssetBase } from '../../src/runtime/asset-base.ts';
export { FoveolaError } from '../../src/runtime/error.ts';
export { frames } from '../../src/frames/frames.ts';
export { version } from '../../src/index.ts';
export { addStrings } from '../strings/index.ts';
