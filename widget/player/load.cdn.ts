/** For the CDN scripts: the timeline is not inside but loaded when a recording is open. */
import { loadChunk } from '../../src/runtime/engine/load-chunk.cdn.ts';
import type { PlayerModule } from './load.ts';

export const loadPlayer = (): Promise<PlayerModule> =>
  loadChunk('player.js', 'The timeline needs its own part', 'leave out controls and seek()');
