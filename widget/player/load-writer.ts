/** Videos are written by a part that is loaded when it is first needed: video-writer.js. */
import { loadPart } from '../../src/index.ts';

export const loadVideoWriter = () =>
  loadPart('video-writer.js', () => import('./video-writer.ts'), 'Exporting a video', 'export none');
