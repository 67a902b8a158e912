/** For the CDN scripts: the timeline and what writes videos are not inside but loaded when they are needed. */
import { loadChunk } from '../../src/runtime/engine/load-chunk.cdn.ts';
import type { WriterModule } from './given.ts';
import type { PlayerModule } from './load.ts';

export const loadPlayer = (): Promise<PlayerModule> => loadChunk('player.js', 'The timeline', 'leave out controls');
export const loadVideoWriter = (): Promise<WriterModule> =>
  loadChunk('video-writer.js', 'Exporting a video', 'export none');
