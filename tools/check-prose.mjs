// Plain words in all that a person reads: docs, texts on screen, messages, texts of parameters, comments, commit subjects. Three
// things are looked for: British spelling, archaic words, and sentence patterns that English does not have. The first two fail;
// patterns are counted by file against tools/prose.json, and no file may have more than there. `--fix` writes American spelling and
// lower counts; `--list FILE...` shows the patterns of files.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from './setup.mjs';

const stems = {
  ...{ colour: 'color', grey: 'gray', neighbour: 'neighbor', behaviour: 'behavior', favour: 'favor', honour: 'honor' },
  ...{
    centred: 'centered',
    centring: 'centering',
    centre: 'center',
    fibre: 'fiber',
    licence: 'license',
    defence: 'defense',
  },
  ...{ catalogue: 'catalog', artefact: 'artifact', judgement: 'judgment', labelled: 'labeled', labelling: 'labeling' },
  ...{ modelled: 'modeled', modelling: 'modeling', travelled: 'traveled', travelling: 'traveling' },
};
/** Verbs in -ise, with their nouns. */
const verbs =
  'normal|initial|recogn|standard|quant|optim|minim|maxim|regular|linear|penal|digit|raster|serial|synchron|summar|' +
  'visual|organ|general|equal|discret|binar|vector|categor|character|emphas|memor|priorit|parametr|random|util';
const british = new RegExp(
  `(${Object.keys(stems).join('|')})|((?:${verbs})i)s(?=(?:e|es|ed|er|ers|ing|ation|ations|able)(?![a-z]))`,
  'gi',
);
const archaic = new RegExp(
  `\\b(?:anew|afresh|in vain|to and fro|for want of|midst|wholly|likeness|seldom|thence|whence|henceforth|hitherto|` +
    `heretofore|hither|thither|whither|thereof|whereof|therein|wherein|thereby|whereby|therewith|wherewith|thereupon|whereupon|` +
    `wherefore|lest|naught|nought|unto|upon|whilst|amidst|amongst|betwixt|albeit|forthwith)\\b`,
  'gi',
);

const participles =
  'Called|Chosen|Found|Kept|Given|Tried|Counted|Printed|Measured|Shipped|Extrapolated|Held|Normalized|None';
const clause =
  'is|was|are|were|has|had|cannot|can|comes|lies|stands|goes|fails|it|they|the|a|each|no|costs|runs|covers';
/**
 * Sentence patterns by name. "as it is", "reached", "believe" and "in which" are no longer among them: they flagged good English
 * more often than bad.
 */
export const patterns = {
  'start with the subject':
    /(?:^|[.;:!?] )(?:Of|From|Beside|Among) (?:a|an|the|its|each|every|two|those|these|what)\b[^.;:]{0,70}? (?:is|are|was|were|has|have)\b/gm,
  'no "who" as a subject': /(?:^|[.;:] )(?:Who|Whoever) (?!are|am|did|do|can I)\w+/gm,
  'name the thing, not "what is"': new RegExp(`(?:^|[,;:.(] ?|\\bof |\\bfor |\\band )[Ww]hat (?:${clause})\\b`, 'gm'),
  'repeat the noun, not "that of"': /\b(?:that|those) of (?!course)\b/gm,
  '"of which" splits into two sentences': /\bof which\b|\bout of which\b/gm,
  '"at least", not "from ... on"': /\bfrom (?:a |an |the )?[\w.%°]+(?: [\w.%°]+){0,3} on\b(?! the| a| an| which| to)/gm,
  'rates take "per"':
    /\b(?:pixels?|bytes?|rows?|frames?|numbers?|threads?|MB|ms|jobs?|iterations|images?|samples?|points?) an? (?:second|pixel|side|row|call|image|eye|minute|segment|level|node|face|frame|line|box|target|file|cell|sample|day)\b/gm,
  '"minimum", not "least"':
    /\b(?:[Ll]east|[Gg]reatest) (?!squares|significant|one|as|in|of all|privilege|recently|angle|upper)\w+/gm,
  'values are stored, they do not lie or stand':
    /\b(?:lies?|lay|stands?|stood|standing|lying) (?:in|on|at|beside|under|above|below|between|within|outside|there|here|with|out|next|where|by|behind|before|alone)\b/gm,
  '"must", not "is to be"': /\b(?:is|are|was|were) (?:not )?to be \w+(?:ed|en)\b/gm,
  '"exists", not "is there"': /\b(?:is|are|was|were) (?:not )?there(?=[ ,.;:)]|$)/gm,
  'software does not go or come':
    /\b(?:goes|comes|came|went) (?:on|out|in|with|to|by|from|there|back|of|beside|first)\b/gm,
  '"otherwise", not "else"': /[,;] else\b/gm,
  '"if" for conditions, not "where"':
    /(?:^|[.;:] )Where (?:the|a|an|it|no|nothing|what|one|that|there|several|its|this)\b/gm,
  '"depends on", not "hangs on"': /\bhang(?:s|ing)? (?:on|together|by)\b/gm,
  '"report", not "tell"': /\b(?:tells?|says) (?:how|what|where|why|which|whether|so|of|apart)\b/gm,
  '"check", not "look at"':
    /\b(?:looks? again|looks of|a look at|second look|(?:is|are|was|were) looked (?:at|for))\b/gm,
  '"on average", not "in the mean"': /\bin the (?:mean|median)\b/gm,
  '"next to" or "compared with", not "beside"': /\bbeside\b/gim,
  'no house metaphors': /\b(?:the door|keeper|verdict|misfit|hearth|dies|died|wishes|stranger)\b/gim,
  '"backend", not "side"': /\b(?:both sides|which side|on the other side|a side of)\b/gm,
  'say how many, not "so many"': /\b(?:so many|so much|so often|so few)\b/gm,
  '"except", not "but for"': /\b(?:but for|all but|save for|nothing but)\b/gm,
  '"is not a", not "is no"': /\b(?:is|are|was|were) no (?!longer|more than|way|need|such)\w+|\b(?:is|are) none\b/gm,
  'full sentences': new RegExp(`(?:^|\\. )(?:${participles})\\b[^.]{0,60}[.:]`, 'gm'),
  'not "of its own"': /\bof (?:its|their|our|his|your) own\b/gm,
  'name it, not "the same"': /(?:^|\. )The same(?: of| with| for| by| from| as|\.)/gm,
  '"someone", not "somebody"': /\b(?:[Ss]omebody|[Nn]obody|everybody)\b/gm,
};
export const LONG = 30;

export const proseOf = (text) =>
  text
    .replace(/^---\n[\s\S]*?\n---\n|```[\s\S]*?```|<!--[\s\S]*?-->/g, '')
    .split('\n')
    .filter((line) => !/^(\||#|>)/.test(line))
    .join('\n')
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/(?<!\n)\n(?!\n|- |\d+\. )/g, ' ');
const commentsOf = (text) =>
  [...text.matchAll(/\/\*\*?([\s\S]*?)\*\/|(?:^|\s)\/\/ ?([^\n]*)/g)]
    .map(([, block, line]) => (block ?? line ?? '').replace(/\s*\n\s*\*?\s*/g, ' ').trim())
    .filter((one) => one.length > 12 && !/eslint|prettier|@ts-|c8 ignore/.test(one));
const quoted = String.raw`(?:'((?:[^'\\]|\\.)*)'|"([^"]*)"|` + '`([^`]*)`)';
const texts = (text, before) =>
  [...text.matchAll(new RegExp(before + quoted, 'g'))].map(([, ...found]) => found.find((one) => one !== undefined));
export const messagesOf = (text) => [
  ...texts(text, String.raw`new FoveolaError\(\s*[^,]+?,\s*`),
  ...texts(text, String.raw`effect:\s*`),
];
const stringsOf = (text) => texts(text, String.raw`: (?:\([^)]*\) =>\s*)?`).filter((one) => one.includes(' '));

/** All that a person reads in a file, a paragraph or comment each. */
export function readIn(file, text) {
  if (file.endsWith('.md')) return proseOf(text).split('\n');
  const code = /\.(ts|mts)$/.test(file) ? messagesOf(text) : [];
  return [...commentsOf(text), ...code, ...(/(^|[./])en\.ts$/.test(file) ? stringsOf(text) : [])];
}

/** [{ rule, text }] of one paragraph or comment. */
export function hits(paragraph) {
  const found = [];
  for (const [rule, pattern] of Object.entries(patterns))
    for (const { index } of paragraph.matchAll(pattern))
      found.push({ rule, text: paragraph.slice(Math.max(0, index - 30), index + 60) });
  for (const sentence of paragraph.split(/(?<=[.!?])\s+/))
    if (sentence.split(/\s+/).length > LONG)
      found.push({ rule: `at most ${LONG} words in a sentence`, text: `${sentence.slice(0, 90)} ...` });
  return found;
}

const like = (american, found) =>
  found === found.toUpperCase()
    ? american.toUpperCase()
    : found[0] === found[0].toUpperCase()
      ? american[0].toUpperCase() + american.slice(1)
      : american;
/** The text in American spelling. */
export const american = (text) =>
  text.replace(british, (word, stem, verb) =>
    stem ? like(stems[stem.toLowerCase()], stem) : verb + (word.endsWith('S') ? 'Z' : 'z'),
  );
/** Archaic words of a text. */
export const archaicWords = (text) => [...text.matchAll(archaic)].map(([word]) => word);

/** Names the forms, or keeps the keys of data that others made. */
const leftAlone =
  /^(LICENSE|NOTICE|package-lock\.json|dist\/|models\/|(lab|bench)\/results\/|test\/golden\/|docs\/changes\.md|tools\/check-prose\.mjs|test\/infrastructure\/prose\.test\.mjs|test\/node\/faces\/(detection|grouping)\.test\.mjs|(tools|lab)\/.*copy-golden-faces\.mjs)/;
const scanned = /\.(ts|mts|mjs|js|tsx|json|md|html|css|vue|svelte|frag|vert|glsl|py|yml)$|^README/;
const isProse = (file) => /\.(md|ts|mts|mjs|js|frag|vert|glsl)$/.test(file);
const git = (...args) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).split('\n').filter(Boolean);

function check({ fix, list }) {
  const ratchet = path.join(root, 'tools/prose.json');
  const allowed = existsSync(ratchet) ? JSON.parse(readFileSync(ratchet, 'utf8')) : {};
  const [lines, counts] = [[], {}];
  for (const file of git('ls-files', '-co', '--exclude-standard').filter((name) => scanned.test(name))) {
    if (leftAlone.test(file) || !existsSync(path.join(root, file))) continue;
    const text = readFileSync(path.join(root, file), 'utf8');
    const fixed = american(text);
    if (fixed !== text && fix) writeFileSync(path.join(root, file), fixed);
    else if (fixed !== text) lines.push(`${file}: British spelling`);
    for (const word of archaicWords(text)) lines.push(`${file}: ${word}`);
    if (american(file) !== file) lines.push(`${file}: rename the file`);
    if (!isProse(file)) continue;
    const found = readIn(file, text).flatMap(hits);
    if (found.length) counts[file] = found.length;
    const rises = found.length > (allowed[file] ?? 0);
    if (list ? list.includes(file) : rises && !fix)
      lines.push(...found.map(({ rule, text: place }) => `${file}: ${rule}: ${place}`));
  }
  for (const subject of git('log', '-20', '--format=%s'))
    if (subject.length > 72) lines.push(`a commit subject of ${subject.length} characters: ${subject}`);
  if (fix) writeFileSync(ratchet, `${JSON.stringify(counts, null, 2)}\n`);
  return { lines, sum: Object.values(counts).reduce((a, b) => a + b, 0) };
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const [fix, at] = [process.argv.includes('--fix'), process.argv.indexOf('--list')];
  const list = at > 0 ? process.argv.slice(at + 1) : null;
  const { lines, sum } = check({ fix, list });
  for (const line of lines.slice(0, 200)) console.log(line);
  if (lines.length > 200) console.log(`... ${lines.length - 200} more`);
  if (!lines.length) console.log(`${sum} patterns left`);
  if (lines.length && !list) process.exitCode = 1;
}
