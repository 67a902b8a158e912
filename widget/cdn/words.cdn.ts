/** In the CDN scripts English is inside; the words of another language are loaded where an element is in it. */
import { loadChunk } from '../../src/runtime/engine/load-chunk.cdn.ts';
import { addLater } from '../strings/index.ts';
import type * as German from '../strings/words.de.ts';

addLater(
  'de',
  async () => (await loadChunk<typeof German>('words-de.js', 'Words in German', 'take the English ones')).de,
);
