/** For the CDN scripts: the timeline is not inside but loaded when it is needed. */
import { loadChunk } from '../../src/runtime/engine/load-chunk.cdn.ts';
import type { PlayerModule } from './load.ts';

export const loadPlayer = (): Promise<PlayerModule> => loadChunk('player.js', 'The timeline', 'leave out controls');
