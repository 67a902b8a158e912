/** What `window.foveola` has in every file of one element. */
import './words.ts';

export { createEngine, FoveolaError, frames, setAssetBase, version } from '../../src/index.ts';
export { addStrings } from '../strings/index.ts';
