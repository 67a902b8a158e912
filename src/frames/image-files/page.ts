/**
 * The readers of image files, as a script that pages load on demand. It is also the script of their worker
 * (image-files.js).
 */
import { pageReader } from './page-reader.ts';

export { explainVideo } from '../why-not-played.ts';
export type { FileJob, FileOfImage, FileResult } from './page-reader.ts';

export const { readFile, readPages, stackFrames } = pageReader({
  name: 'foveola-image-files',
  url: () => new URL('./page.ts', import.meta.url).href, // not in the worker, which may be a blob
});
