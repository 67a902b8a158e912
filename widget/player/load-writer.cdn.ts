/** For the CDN scripts: what writes videos is not inside but loaded when it is needed. */
import { loadChunk } from '../../src/runtime/engine/load-chunk.cdn.ts';
import type * as VideoWriting from './video-writer.ts';

export const loadVideoWriter = (): Promise<typeof VideoWriting> =>
  loadChunk('video-writer.js', 'Exporting a video', 'export none');
