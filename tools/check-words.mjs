// American spelling, as the web platform has it, in names, comments, texts and docs. `npm run check` runs it;
// `node tools/check-words.mjs --fix` writes the American forms (then `npm run format`; files are not renamed).
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { root } from './setup.mjs';

/** British stems and what stands for them; the case of the first letter, or of all, is kept. */
const stems = {
  colour: 'color',
  grey: 'gray',
  neighbour: 'neighbor',
  behaviour: 'behavior',
  favour: 'favor',
  honour: 'honor',
  centred: 'centered',
  centring: 'centering',
  centre: 'center',
  fibre: 'fiber',
  licence: 'license',
  defence: 'defense',
  catalogue: 'catalog',
  artefact: 'artifact',
  judgement: 'judgment',
  labelled: 'labeled',
  labelling: 'labeling',
  modelled: 'modeled',
  modelling: 'modeling',
  travelled: 'traveled',
  travelling: 'traveling',
};
/** Verbs in -ise, with their nouns. */
const verbs =
  'normal|initial|recogn|standard|quant|optim|minim|maxim|regular|linear|penal|digit|raster|serial|synchron|summar|' +
  'visual|organ|general|equal|discret|binar|vector|categor|character|emphas|memor|priorit|parametr|random|util';
const british = new RegExp(
  `(${Object.keys(stems).join('|')})|((?:${verbs})i)s(?=(?:e|es|ed|er|ers|ing|ation|ations|able)(?![a-z]))`,
  'gi',
);

/**
 * Words that stay, with the reason. The contract spells metres so (millimetresPerPixel, micrometresPerPixel) and names the
 * method analyse(): these two families keep the contract's spelling everywhere and are no stems above. Nor is `cancelled`,
 * which dictionaries have with one l and with two, and which recordings carry as a reason.
 */
const exceptions = [
  { files: /^(tools\/check-words|test\/infrastructure\/words\.test)\.mjs$/, words: /./, why: 'names the forms' },
  { files: /^docs\/changes\.md$/, words: /./, why: 'names what was' },
  {
    files: /^(test\/node\/faces\/(detection|grouping)\.test\.mjs|tools\/copy-golden-faces\.mjs)$/,
    words: /neighbour/,
    why: 'keys of the golden data, which others made',
  },
];

const scanned = /\.(ts|mts|mjs|js|tsx|json|md|html|css|vue|svelte|frag|vert|glsl|py|yml)$|^(README|NOTICE)/;
const left = /^(LICENSE|NOTICE|package-lock\.json|dist\/|models\/|bench\/results\/|test\/golden\/)/;

const like = (american, found) =>
  found === found.toUpperCase()
    ? american.toUpperCase()
    : found[0] === found[0].toUpperCase()
      ? american[0].toUpperCase() + american.slice(1)
      : american;

/** The text in American spelling, and what was found: [{ line, word, american }]. */
export function american(text, stays = () => false) {
  const found = [];
  const fixed = text.replace(british, (word, stem, verb, at) => {
    if (stays(word)) return word;
    const instead = stem ? like(stems[stem.toLowerCase()], stem) : verb + (word.endsWith('S') ? 'Z' : 'z');
    found.push({ line: text.slice(0, at).split('\n').length, word, american: instead });
    return instead;
  });
  return { fixed, found };
}

/** Checks the files that git knows; with `fix` writes them. Returns lines to be shown. */
export function checkWords({ fix = false } = {}) {
  const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { cwd: root, encoding: 'utf8' });
  const lines = [];
  for (const file of files.split('\n').filter((name) => scanned.test(name) && !left.test(name))) {
    const own = exceptions.filter(({ files }) => files.test(file));
    const stays = (word) => own.some(({ words }) => words.test(word.toLowerCase()));
    const text = readFileSync(`${root}/${file}`, 'utf8');
    const { fixed, found } = american(text, stays);
    if (fix && fixed !== text) writeFileSync(`${root}/${file}`, fixed);
    for (const { line, word, american } of found) lines.push(`${file}:${line}: ${word} -> ${american}`);
    if (american(file, stays).found.length) lines.push(`${file}: rename the file`);
  }
  return lines;
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const fix = process.argv.includes('--fix');
  const lines = checkWords({ fix });
  for (const line of lines.slice(0, 200)) console.log(line);
  if (lines.length > 200) console.log(`... ${lines.length - 200} more`);
  if (lines.length && !fix) process.exitCode = 1;
}
