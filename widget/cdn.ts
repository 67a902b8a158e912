/**
 * foveola.cdn.js: defines every element and becomes `window.foveola`, the headless API. The build replaces
 * src/runtime/assets.ts by assets.cdn.ts, which carries kernels and worker and reads `data-worker` and `data-assets` from
 * the script's own tag while it runs for the first time.
 */
import './strings/de.ts';

export * from '../src/index.ts';
export * from './elements.ts';
