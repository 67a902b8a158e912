import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { readLine, SYSTEMS } from '../../bench/constants/index.mjs';
import { FOLDERS, others, REASONS } from '../../bench/constants/parts/others.mjs';
import { choose, gainOf, merged, totalOf } from '../../bench/constants/parts/choice.mjs';
import { root } from '../../tools/setup.mjs';

const worth = ({ n, right }) => right / n;
const groups = (...rights) => Object.fromEntries(rights.map((right, i) => [`group ${i}`, { n: 10, right }]));

test('counts are added over groups, one left out', () => {
  assert.deepEqual(totalOf(groups(1, 2, 3)), { n: 30, right: 6 });
  assert.deepEqual(totalOf(groups(1, 2, 3), 'group 1'), { n: 20, right: 4 });
});

test('what was not measured again is as it was', () => {
  assert.deepEqual(merged({ a: { n: 2, right: 1, silent: 1 } }, { a: { n: 2, right: 2 } }), {
    a: { n: 2, right: 2, silent: 1 },
  });
});

test('the error of a gain is that of the jackknife', () => {
  // Differences of shares without a group: 0.05, 0.1, 0.15; their mean 0.1, 2/3 of the squares 0.005.
  const { gain, error } = gainOf([groups(5, 5, 5), groups(7, 6, 5)], 1, worth);
  assert.ok(Math.abs(gain - 0.1) < 1e-12);
  assert.ok(Math.abs(error - Math.sqrt((2 / 3) * 0.005)) < 1e-12);
});

test('a value that every group gains by is better, held out too', () => {
  const { worths, best, held, better } = choose([groups(5, 5, 5), groups(4, 4, 4), groups(7, 7, 7)], worth);
  assert.deepEqual([best, better], [2, 2]);
  assert.deepEqual(worths, [0.5, 0.4, 0.7]);
  assert.equal(held, 0.7);
});

test('a value that one group alone gains by is not, and that group is judged by the others', () => {
  const { best, held, better } = choose([groups(5, 5, 5), groups(10, 4, 4)], worth);
  assert.equal(best, 1);
  assert.equal(better, null);
  assert.equal(held, 13 / 30); // group 0 by the value in use, both others by the one that it gains by
});

test('of equals the value in use is taken', () => {
  assert.equal(choose([groups(5, 5), groups(5, 5)], worth).best, 0);
});

test('the value in use is the last number of what stands in the file', () => {
  const line = readLine(['a.ts', 'export const SHARE: f32 = 0.4', 0.3]);
  assert.deepEqual([line.name, line.used, line.textOf(0.3)], ['SHARE', 0.4, 'export const SHARE: f32 = 0.3']);
  assert.equal(readLine(['a.ts', 'limit = max<f32>(1, 0.025', 0.03]).textOf(0.03), 'limit = max<f32>(1, 0.03');
  assert.equal(readLine(['a.ts', 'rays: number({\n    default: 20', 30]).name, 'rays');
});

for (const system of SYSTEMS)
  test(`constants of ${system} stand once in their files, and others are tried`, async () => {
    const { constants } = await import(`../../bench/constants/parts/${system}.mjs`);
    for (const line of constants) {
      const { file, used, tried, from } = readLine(line);
      assert.equal(readFileSync(path.join(root, file), 'utf8').split(from).length, 2, `${file}: ${from}`);
      assert.ok(tried.length >= 2 && !tried.includes(used), `${file}: ${from}`);
    }
  });

const NUMBER = '-?(?!0x)\\d';
const DECLARED = '^(?:export )?const ';
const ALONE = new RegExp(`${DECLARED}(\\w+)(?:: [^=\\n]+)? = -?(?!0x)[\\d.]`, 'gm');
const PAIR = new RegExp(`${DECLARED}\\[([\\w, ]+)\\](?:: [^=\\n]+)? = \\[+${NUMBER}`, 'gm');
const LIST = new RegExp(`${DECLARED}(\\w+)(?:: [^=\\n]+)? = \\[+\\s*(?:\\[(?:'\\w+', )?)?${NUMBER}`, 'gm');
const RECORD = new RegExp(`${DECLARED}(\\w+)(?:: [^=\\n]+)? = (\\{[^{}]*?\\})`, 'gm');
const FIELD = new RegExp(`(\\w+): \\[?${NUMBER}`, 'g');

/** Named numbers of a source: [name, the words one of which a list has]; a record has a reason as a whole, or all its fields are in lists. */
function namedNumbers(text) {
  const names = [...text.matchAll(ALONE), ...text.matchAll(LIST)].map(([, name]) => name);
  names.push(...[...text.matchAll(PAIR)].flatMap(([, pair]) => pair.split(', ')));
  const records = [...text.matchAll(RECORD)].map(([, name, body]) => [
    name,
    [...body.matchAll(FIELD)].map(([, field]) => `${field}:`),
  ]);
  return [...names.map((name) => [name, [name]]), ...records.filter(([, fields]) => fields.length)];
}

test('named numbers are seen alone, in pairs, in lists and in records', () => {
  const text = [
    'const ONE: f64 = 3;',
    'export const [TWO, THREE] = [4, 5] as const;',
    'const LIST = [\n  [1, 2],\n];',
    "const PAIRS: readonly Pair[] = [\n  ['a', 2],\n];",
    'const RECORD = { near: 1, far: -2 };',
    'export const rule: Rule = {\n  /** Of it. */\n  least: 3,\n  name: text,\n};',
    'const made = new Map();',
    "const words = ['a', 'b'];",
    'const BITS = 0xff;',
  ].join('\n');
  assert.deepEqual(namedNumbers(text), [
    ...['ONE', 'LIST', 'PAIRS', 'TWO', 'THREE'].map((name) => [name, [name]]),
    ['RECORD', ['near:', 'far:']],
    ['rule', ['least:']],
  ]);
});

test('a constant of the systems that is in no list has a reason', async () => {
  const listed = new Map();
  for (const system of SYSTEMS) {
    const { constants } = await import(`../../bench/constants/parts/${system}.mjs`);
    for (const [file, from] of constants) listed.set(file, `${listed.get(file) ?? ''} ${from}`);
  }
  const found = new Set();
  for (const folder of FOLDERS)
    for (const entry of readdirSync(path.join(root, folder), { recursive: true })) {
      if (!entry.endsWith('.ts')) continue;
      const file = `${folder}/${entry.replaceAll(path.sep, '/')}`;
      for (const [name, words] of namedNumbers(readFileSync(path.join(root, file), 'utf8'))) {
        const inList = words.every((word) => new RegExp(`\\b${word}(?!\\w)`).test(listed.get(file) ?? ''));
        const reasons = (others.get(file) ?? []).filter(([one]) => one === name);
        assert.equal(Number(inList) + reasons.length, 1, `${file}: ${name} has a list or one reason`);
        found.add(`${file} ${name}`);
      }
    }
  for (const [file, names] of others)
    for (const [name, reason] of names) {
      assert.ok(REASONS[reason], reason);
      assert.ok(found.has(`${file} ${name}`), `${file} has no ${name}`);
    }
});
