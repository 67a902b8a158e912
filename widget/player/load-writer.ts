/** Videos are written by a module of their own, dist/video-writer.js, which loads when it is first needed. */
import { loadPart } from '../../src/index.ts';
import type * as VideoWriting from './video-writer.ts';

export const loadVideoWriter = (): Promise<typeof VideoWriting> =>
  loadPart(import('./video-writer.ts'), 'Exporting a video', 'export none');
