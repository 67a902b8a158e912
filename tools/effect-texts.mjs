// Only the settings show the effects of parameters. The script of one element has a number in place of each text, and tools.js
// has the texts.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { filesBelow } from './fingerprint.mjs';

const effect = /(\beffect:\s*)('(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*")/g;
const listed = 'widget/tools/panels/effects.ts';

/** The texts as they are written, each once. */
const textsOf = (root) => {
  const files = filesBelow(root, ['src'], (file) => file.endsWith('.ts')).sort();
  const found = files.flatMap((file) => [...readFileSync(path.join(root, file), 'utf8').matchAll(effect)]);
  return [...new Set(found.map(([, , text]) => text))];
};

export function withoutEffects(root) {
  const texts = textsOf(root);
  return {
    name: 'without-effects',
    transform: (code, id) =>
      id.startsWith(path.join(root, 'src/'))
        ? { code: code.replace(effect, (_, name, text) => `${name}'#${texts.indexOf(text)}'`), map: null }
        : null,
  };
}

/** The texts by their numbers. */
export const withEffects = (root) => ({
  name: 'with-effects',
  load: (id) => (id === path.join(root, listed) ? `export const effects = [${textsOf(root).join(',')}];` : null),
});
