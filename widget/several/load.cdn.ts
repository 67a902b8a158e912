/** For the CDN scripts: the list of several files is not inside but loaded when several are given. */
import { loadChunk } from '../../src/runtime/engine/load-chunk.cdn.ts';
import type { SeveralModule } from './load.ts';

export const loadSeveral = (): Promise<SeveralModule> =>
  loadChunk('several-files.js', 'Several files at once', 'open one');
