/** German strings of the elements. Import it with `import 'foveola/strings/de'`, then set `lang="de"`. */
import { addStrings } from './index.ts';
import { de } from './words.de.ts';

addStrings('de', de);

export { de };
