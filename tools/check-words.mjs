// American spelling, as the web platform has it, and no archaic words, in names, comments, texts and docs. `npm run check`
// runs it; `node tools/check-words.mjs --fix` writes the American forms (then `npm run format`; files are not renamed, and
// archaic words need a new sentence).
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

/** Words that a reader with English as a second language would have to look up, and what may stand for them. */
const archaic = {
  told: 'said, given, reported',
  untold: 'not described',
  anew: 'again',
  afresh: 'again',
  'in vain': 'without success',
  'to and fro': 'back and forth',
  'be had': 'be loaded, be measured',
  'save for': 'except',
  'for want of': 'without',
  midst: 'middle',
  wholly: 'entirely',
  likeness: 'similarity',
  vanish: 'disappear',
  vanishes: 'disappears',
  seldom: 'rarely',
  onwards: 'on',
  shall: 'has to',
  ought: 'should',
  hence: 'so',
  thence: 'from there',
  whence: 'from where',
  henceforth: 'from now on',
  hitherto: 'until now',
  heretofore: 'until now',
  hither: 'here',
  thither: 'there',
  whither: 'where',
  thereof: 'of it',
  whereof: 'of which',
  therein: 'in it',
  wherein: 'in which',
  thereby: 'by that',
  whereby: 'by which',
  therewith: 'with it',
  wherewith: 'with which',
  thereupon: 'then',
  whereupon: 'then',
  wherefore: 'why',
  lest: 'so that ... not',
  naught: 'nothing',
  nought: 'nothing',
  unto: 'to',
  upon: 'on',
  whilst: 'while',
  amidst: 'among',
  amongst: 'among',
  betwixt: 'between',
  albeit: 'though',
  forthwith: 'at once',
};
const old = new RegExp(`\\b(${Object.keys(archaic).join('|')})\\b`, 'gi');

/**
 * Words that stay, with the reason. The contract spells metres so (millimetresPerPixel, micrometresPerPixel) and names the
 * method analyse(): these two families keep the contract's spelling everywhere and are no stems above. Nor is `cancelled`,
 * which dictionaries have with one l and with two, and which recordings carry as a reason.
 */
const exceptions = [
  { files: /^(tools\/check-words|test\/infrastructure\/words\.test)\.mjs$/, words: /./, why: 'names the forms' },
  { files: /^docs\/changes\.md$/, words: /./, why: 'names what was' },
  { files: /^(tools\/(soak|fuzz)|(src|bench)\/faces\/)/, words: /^(un)?told$/, why: 'names of variables' },
  { files: /^bench\/pupil\/methods\.mjs$/, words: /^told$/, why: 'stands in the names of a table that others made' },
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

/** Archaic words of the text: [{ line, word, instead }]. */
export function archaicWords(text, stays = () => false) {
  return [...text.matchAll(old)]
    .filter(([word]) => !stays(word))
    .map(({ 0: word, index }) => ({
      line: text.slice(0, index).split('\n').length,
      word,
      instead: archaic[word.toLowerCase()],
    }));
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
    for (const { line, word, instead } of archaicWords(text, stays))
      lines.push(`${file}:${line}: ${word} (${instead}?)`);
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
