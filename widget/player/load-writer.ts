/** Loads video-writer.js, which writes videos, when it is first needed. */
import { loadPart } from '../../src/index.ts';

export const loadVideoWriter = () =>
  loadPart('video-writer.js', () => import('./video-writer.ts'), 'Exporting a video', 'export none');
