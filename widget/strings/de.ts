/** Die Wörter der Elemente auf Deutsch. Import genügt: `import 'foveola/strings/de'`, dann `lang="de"`. */
import { addStrings } from './index.ts';
import { de } from './words.de.ts';

addStrings('de', de);

export { de };
