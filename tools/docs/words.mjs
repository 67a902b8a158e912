// `npm run docs -- words`: the size and the language of the documentation, one line per figure with its target.
// `npm run docs -- facts SEED`: 30 sentences drawn at random from the pages, to be checked against the code by hand.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { LONG, hits, messagesOf, proseOf, readIn } from '../check-prose.mjs';
import { filesBelow } from '../fingerprint.mjs';
import { generator } from '../random.mjs';
import { root } from '../setup.mjs';
import { readChapters } from './chapters.mjs';

const text = (file) => readFileSync(path.join(root, file), 'utf8');
const wordsOf = (prose) => prose.split(/\s+/).filter(Boolean).length;
const sum = (list, value) => list.reduce((total, one) => total + value(one), 0);

/** Pages by their readers. The changelog has its own limit, in its own line. */
export function pagesByReader() {
  const chapters = readChapters();
  const filesOf = (...titles) =>
    chapters.filter(({ title }) => titles.includes(title)).flatMap(({ pages }) => pages.map(({ file }) => file));
  const operations = filesBelow(root, ['docs/operations'], (name) => name.endsWith('.md'));
  const users = filesOf('Tutorials', 'How-to guides', 'Reference', 'Explanation');
  return {
    users: ['README.md', ...users.filter((file) => file !== 'CHANGELOG.md'), ...operations],
    maintainers: filesOf('Maintainers', 'Decisions'),
  };
}

const sentencesOf = (file) =>
  proseOf(text(file))
    .split('\n')
    .flatMap((paragraph) => paragraph.split(/(?<=[.!?])\s+/))
    .map((sentence) => sentence.replace(/^[-\s]+/, '').trim())
    .filter(Boolean);

/** Words and pattern hits of what people read in files. */
function language(files) {
  const found = files.flatMap((file) => readIn(file, text(file)));
  return { words: sum(found, wordsOf), hits: sum(found, (one) => hits(one).length) };
}

/** [{ name, value, target, met }] */
export function wordFigures() {
  const { users, maintainers } = pagesByReader();
  const proseWords = (files) => sum(files, (file) => wordsOf(proseOf(text(file))));
  const words = proseWords(users);
  const examples = sum(users, (file) => text(file).match(/^```\w/gm)?.length ?? 0);
  const long = users.flatMap(sentencesOf).filter((sentence) => wordsOf(sentence) > LONG);
  const you = sum(users, (file) => proseOf(text(file)).match(/\byou(?:r|rs|rself)?\b/gi)?.length ?? 0);
  const unreleased = /^## Unreleased$([^]*?)(?=^## |(?![^]))/im.exec(text('CHANGELOG.md'))?.[1] ?? '';
  const per1000 = (count, all) => (1000 * count) / all;
  const userLanguage = language(users);
  const strings = language(filesBelow(root, ['widget'], (name) => /(^|[./])en\.ts$/.test(name)));
  const code = language(filesBelow(root, ['src', 'widget', 'assembly', 'glsl'], (name) => /\.(ts|frag|vert|glsl)$/.test(name))); // prettier-ignore
  const messages = filesBelow(root, ['src', 'widget'], (name) => name.endsWith('.ts')).flatMap((file) => messagesOf(text(file))); // prettier-ignore
  const rows = [
    ['words for users, without tables and code', words, 24_000],
    ['words for maintainers', proseWords(maintainers), 7_000],
    ['words of the changelog, unreleased', wordsOf(unreleased), 900],
    ['words per example', words / examples, 130],
    [`sentences over ${LONG} words for users`, long.length, 0],
    ['"you" per 1,000 words', per1000(you, words), -8],
    ['pattern hits per 1,000 words for users', per1000(userLanguage.hits, userLanguage.words), 3],
    ['pattern hits in English strings', strings.hits, 0],
    ['pattern hits in messages', sum(messages, (one) => hits(one).length), 0],
    ['pattern hits per 1,000 words of comments and messages', per1000(code.hits, code.words), 4],
  ];
  return rows.map(([name, value, target]) => ({
    ...{ name, value, target },
    met: target < 0 ? value >= -target : value <= target,
  }));
}

export function printWords() {
  for (const { name, value, target, met } of wordFigures()) {
    const limit = `${target < 0 ? 'at least' : 'at most'} ${Math.abs(target).toLocaleString('en')}`;
    const shown = Number.isInteger(value) ? value.toLocaleString('en') : value.toFixed(1);
    console.log(`${met ? 'met    ' : 'NOT met'}  ${shown.padStart(7)}  ${limit.padEnd(16)} ${name}`);
    if (!met) process.exitCode = 1;
  }
}

/** Sentences with a number or a name of the code, the same ones for the same seed and text. */
export function drawFacts(seed, count = 30) {
  const all = pagesByReader().users.flatMap(
    (file) =>
    sentencesOf(file).filter((sentence) => /\d|`/.test(sentence) && wordsOf(sentence) > 4).map((sentence) => ({ file, sentence })), // prettier-ignore
  );
  const random = generator(seed);
  return Array.from({ length: Math.min(count, all.length) }, () => all.splice(Math.floor(random() * all.length), 1)[0]);
}

export function printFacts(seed) {
  if (!Number.isInteger(seed)) throw new Error('Name a seed, for instance: npm run docs -- facts 20260101');
  for (const [i, { file, sentence }] of drawFacts(seed).entries()) console.log(`${i + 1}. ${file}: ${sentence}`);
}
