/** For the CDN scripts: correcting by hand is not inside but loaded when somebody corrects. */
import { loadChunk } from '../../../src/runtime/engine/load-chunk.cdn.ts';
import type * as Module from './correcting.ts';

export const loadCorrecting = (): Promise<typeof Module> =>
  loadChunk<typeof Module>('vessel-corrections.js', 'Correcting vessels by hand needs its own part', 'do not correct');
