/** The CDN scripts contain the English strings. The strings of another language are loaded when an element uses it. */
import { loadPart } from '../../src/index.ts';
import { addLater } from '../strings/index.ts';

const german = () => import('../strings/words.de.ts');

addLater('de', async () => (await loadPart('words-de.js', german, 'Words in German', 'take the English ones')).de);
