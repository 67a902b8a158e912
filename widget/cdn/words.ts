/** In the CDN scripts English is inside; the words of another language are loaded where an element is in it. */
import { loadPart } from '../../src/index.ts';
import { addLater } from '../strings/index.ts';

const german = () => import('../strings/words.de.ts');

addLater('de', async () => (await loadPart('words-de.js', german, 'Words in German', 'take the English ones')).de);
