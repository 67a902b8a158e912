/** Exports of `window.foveola` that every single-element file has. */
import './words.ts';

export { createEngine, FoveolaError, frames, setAssetBase, version } from '../../src/index.ts';
export { addStrings } from '../strings/index.ts';
