/**
 * foveola.cdn.js: defines `<foveola-pupil>` and `<foveola-filter>` and becomes `window.foveola`, the headless API, with
 * the WASM side of their capabilities. More would not fit its size: a page that uses one of the other elements, or asks
 * for `foveola.full()`, gets foveola.cdn.full.js from beside it. The build replaces src/runtime/assets.ts by
 * assets.cdn.ts, which carries kernels and worker and reads `data-worker` and `data-assets` from the script's own tag.
 */
import './strings/de.ts';
import { loadFull, watchFor } from '../src/index.ts';

watchFor(['foveola-face', 'foveola-track', 'foveola-vessels']);

export * from '../src/index.ts';
export * from './elements.cdn.ts';
export { loadFull as full };
