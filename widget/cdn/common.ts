/** Exports of `window.foveola` that every single-element file has, and how it loads the strings of other languages. */
import { loadPart } from '../../src/internal.ts';
import { addLater } from '../strings/index.ts';

// The CDN scripts contain the English strings. The strings of another language are loaded when an element uses it.

const german = () => import('../strings/words.de.ts');

addLater('de', async () => (await loadPart('words-de.js', german, 'Words in German', 'take the English ones')).de);

export { createEngine, FoveolaError, frames, setAssetBase, version } from '../../src/index.ts';
export { addStrings } from '../strings/index.ts';
