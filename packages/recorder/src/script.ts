/** foveola-recorder.cdn.js: `foveola.record()` for pages without a bundler. */
export {
  createEngine,
  FoveolaError,
  listCameras,
  openCamera,
  record,
  setAssetBase,
  version,
} from '../../../src/index.ts';
