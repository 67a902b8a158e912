// The commands that README and docs name exist, with their arguments; every block of code is one that a test runs.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { benches, chosenOf, splitWords } from '../../bench/run.mjs';
import { programs } from '../../lab/run.mjs';
import { filesBelow } from '../../tools/fingerprint.mjs';
import { root } from '../../tools/setup.mjs';
import { cases } from '../support/snippet-cases.mjs';
import { blocks, commands, runElsewhere, extract, indented, notRun, placeOf } from '../support/snippets.mjs';
import { kinds } from '../apps/kinds.mjs';

const text = (file) => readFileSync(path.join(root, file), 'utf8');
const { scripts, bin, peerDependencies, name: packageName } = JSON.parse(text('package.json'));
const testFiles = filesBelow(root, ['test'], (file) => /\.test\.(mjs|ts)$/.test(file));

/** Flags that a program reads: `--name` for each option that its source names. */
const flagsOf = (file) => (flag) => new RegExp(`\\b${flag.slice(2)}\\b`).test(text(file));
const flagsUnknown = (words, known) => words.filter((word) => word.startsWith('--') && !known(word));

/** What is wrong with the arguments of `npm run script -- ...words`, by script. */
const judges = {
  test: (words) =>
    words.filter((word) => !['--full', '--changed'].includes(word) && !testFiles.some((file) => file.includes(word))),
  'test:apps': (words) => words.filter((word) => !kinds.some(({ name }) => name === word)),
  check: (words) => words.filter((word) => !new RegExp(`^  ${word}: {`, 'm').test(text('tools/check.mjs'))),
  build: (words) => words.filter((word) => word !== '--stale'),
  docs: (words) => flagsUnknown(words, flagsOf('tools/docs/build.mjs')),
  site: (words) => flagsUnknown(words, flagsOf('tools/docs/build.mjs')),
  release: (words) => flagsUnknown(words.filter((word) => !/^\d+\.\d+\.\d+$/.test(word)), flagsOf('tools/release.mjs')), // prettier-ignore
  bench: (words) => benchFaults(words, 'bench'),
  lab(words) {
    const [name, ...rest] = words;
    if (!programs().some((one) => one.name === name)) return benchFaults(words, 'lab');
    const files = [`lab/${name}.mjs`, ...(sourcesOf[name] ?? [])];
    return flagsUnknown(rest, (flag) => files.some((file) => flagsOf(file)(flag)));
  },
  ...Object.fromEntries(
    ['fuzz', 'soak'].map((name) => [
      name,
      (words) => flagsUnknown(words.filter((word) => !/^\d+$/.test(word)), flagsOf(`tools/${name}.mjs`)), // prettier-ignore
    ]),
  ),
};
/** Files, in addition to the program's own, that name its flags. */
const sourcesOf = {
  'render-faces': ['lab/faces/render/command.ts'],
  'train-landmarks': ['lab/landmarks/command.mjs', 'lab/landmarks/train.mjs'],
  'convert-model': ['lab/convert-model.ts'],
};
function benchFaults(words, folder) {
  const [named] = splitWords(words);
  const known = chosenOf(benches(folder), named);
  if (named && !/[<.]/.test(named) && !known.length) return [named];
  return flagsUnknown(words, (flag) => known.some(({ file }) => flagsInFolder(file)(flag)));
}
const flagsInFolder = (file) => (flag) =>
  filesBelow(root, [path.dirname(file)], (name) => /\.(mjs|ts)$/.test(name)).some((name) => text(name).includes(flag));

/** The same of the command `foveola`: its words are those that its help names. */
function commandFaults([name, ...rest]) {
  const usage = text('src/command/usage.ts') + text('src/command/analyses/index.ts');
  const known = (word) => new RegExp(`\\b${word.replace(/^-+/, '')}\\b`).test(usage);
  return [name, ...rest.filter((word) => word.startsWith('-'))].filter((word) => !known(word));
}

/** Programs that npx fetches: no package of this project. */
const fetched = ['serve'];

/** What is wrong with a command, or an empty list. */
function faults(command) {
  const [program, ...words] = command.replace(/^[A-Z_]+=\S+ /, '').split(/\s+/);
  if (program === 'npm') {
    const [verb, ...rest] = words;
    if (verb === 'install') return rest.filter((name) => name !== packageName && !peerDependencies[name]);
    if (['ci', 'pack'].includes(verb)) return rest;
    const script = verb === 'run' ? rest.shift() : verb;
    if (!scripts[script]) return [`npm has no script '${script}'`];
    if (rest.length && rest.shift() !== '--') return ["arguments of a script come after '--'"];
    if (!rest.length) return [];
    return judges[script] ? judges[script](rest) : rest;
  }
  if (program === 'npx') {
    const [tool, ...rest] = words;
    if (tool === packageName) return commandFaults(rest);
    if (bin[tool]) return flagsUnknown(rest, flagsOf('lab/convert-model.ts'));
    if (fetched.includes(tool)) return rest;
    if (!existsSync(path.join(root, 'node_modules/.bin', tool))) return [`there is no program '${tool}'`];
    return rest.filter((word) => !word.startsWith('--') && !existsSync(path.join(root, word)));
  }
  return [`no test knows the program '${program}'`];
}

describe('snippets of README and docs', () => {
  it('are each run, or say why not', () => {
    assert.ok(blocks.length > 30);
    assert.deepEqual(indented, [], 'code that is indented instead of fenced');
    const wanted = new Map();
    for (const block of blocks) {
      if (notRun(block) || runElsewhere(block) || ['sh', 'text'].includes(block.language)) continue;
      wanted.set(placeOf(block), [...(wanted.get(placeOf(block)) ?? []), block.language]);
    }
    const known = Object.fromEntries(Object.entries(cases).map(([place, list]) => [place, list.map((one) => one.as)]));
    assert.deepEqual(known, Object.fromEntries(wanted), 'cases in test/support/snippet-cases.mjs');
  });

  it('are left out in one place only', () => {
    const left = blocks.filter(notRun).map((block) => `${placeOf(block)}: ${block.mark}`);
    assert.deepEqual(left, ['docs/architecture.md: Kernels: not run, part of a stage']);
    const changed = blocks.filter((block) => block.mark && !notRun(block)).map((block) => block.mark);
    assert.deepEqual(changed, ['the hash of dist/sri.json takes the place of sha384-…']);
  });

  it('name commands that exist', () => {
    const found = commands();
    assert.ok(found.length > 25);
    const wrong = found.flatMap(({ file, command }) => faults(command).map((fault) => `${file}: ${command}: ${fault}`));
    assert.deepEqual(wrong, []);
  });

  it('would tell a command that does not exist', () => {
    for (const command of [
      'npm run nothing',
      'npm run bench -- nothing pupil',
      'npm run bench -- hard pupil --nothing',
      'npm run lab -- nothing pupil',
      'npm run lab -- ladder pupil --nothing',
      'npm run lab -- train-eyes --no-such-flag',
      'npm run check -- nothing',
      'npm run docs -- --nothing',
      'npm test nothing',
      'npm test -- no-such-file',
      'npx no-such-program',
      'npx foveola-convert-model a b --nothing',
      'npm install something-else',
    ])
      assert.notDeepEqual(faults(command), [], command);
  });

  it('has blocks, headings and marks from markdown', () => {
    const markdown = '# A\n\n<!-- snippet: not run, why -->\n\n```js\n1;\n```\n\n```js\n2;\n```\n\n    npm x\n';
    const { blocks: found, indented: lost } = extract('x.md', markdown);
    assert.deepEqual(
      found.map(({ heading, text: code, mark, line }) => [heading, code, mark, line]),
      [
        ['A', '1;\n', 'not run, why', 5],
        ['A', '2;\n', null, 9],
      ],
    );
    assert.deepEqual(lost, ['x.md:13']);
  });

  it('the converter says its own options', () => {
    const help = execFileSync(process.execPath, ['lab/convert-model.mjs', '--help'], { cwd: root, encoding: 'utf8' });
    for (const flag of ['--form exact|16-bit|8-bit', '--notice']) assert.ok(help.includes(flag), flag);
  });
});
