// `npm run check`: types, lint, promises, format, imports, prose, markdown and the public interface, each to its end, so that one run shows everything.
// `npm run check -- types lint` runs some of them; `npm run check -- house` prints the shape of the code, for a person to judge.
// What was found well is remembered in build/, by content.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { installModules, main, root } from './setup.mjs';

const bin = (file) => `node_modules/${file}`;
const folders = ['src', 'widget', 'test', 'tools', 'bench', 'lab', 'demo', 'examples', 'packages', 'assembly'].filter(
  (folder) => existsSync(folder),
);
/** For each its command, and what to do when it fails. */
const checks = {
  types: {
    args: [bin('typescript/bin/tsc'), '--noEmit', '--incremental', '--tsBuildInfoFile', 'build/check/types.json'],
    remedy: 'Mend the types where they are wrong; no `any`, no `as unknown as`.',
  },
  lint: {
    args: [
      bin('eslint/bin/eslint.js'),
      ...['--cache', '--cache-strategy', 'content', '--cache-location', 'build/check/lint.json', '.'],
    ],
    remedy: '`npx eslint --fix .` mends some; the rules and their reasons are in eslint.config.js.',
  },
  promises: {
    args: ['tools/check-promises.mjs'],
    remedy:
      'Await it, return it, or give it a .catch that says why a failure may be passed over; `void` only where it cannot reject. What is surely done at once goes through atOnce (tools/at-once.ts).',
  },
  format: {
    args: [
      bin('prettier/bin/prettier.cjs'),
      ...['--check', '--cache', '--cache-strategy', 'content', '--cache-location', 'build/check/format.json'],
      ...['--log-level', 'warn', '--no-error-on-unmatched-pattern', '*.{js,json}'],
      ...folders,
    ],
    remedy: '`npm run format` mends it.',
  },
  imports: {
    args: ['tools/check-imports.mjs'],
    remedy:
      'Move what both need to the lowest folder that both may import, or to a file of its own where two files import each other (types, too); tools/check-imports.mjs has the rule.',
  },
  prose: {
    args: ['tools/check-prose.mjs'],
    remedy:
      'Write the sentence again in plain words; `node tools/check-prose.mjs --fix` writes American spelling and keeps lower counts.',
  },
  markdown: {
    args: ['tools/check-markdown.mjs'],
    remedy: 'Correct the line; https://github.com/DavidAnson/markdownlint explains each rule by its number.',
  },
  api: {
    args: ['tools/check-api.mjs'],
    remedy:
      'Name removed and changed lines in CHANGELOG.md under "Unreleased" or in docs/changes.md; then `node tools/check-api.mjs --write` and commit tools/public-api.txt.',
  },
  house: { args: ['tools/house.mjs'], report: true, remedy: 'Name in tools/house.mjs where the ways lead now.' },
};

const run = (args) =>
  new Promise((resolve) => {
    const child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (output += data));
    child.on('close', (code) => resolve({ code, output: output.trimEnd() }));
  });

/** Starts them in their order, as many at a time as there are cores, at most four; a promise for each. */
function runAll(names) {
  const running = new Set();
  const most = Math.min(4, availableParallelism());
  let turn = Promise.resolve();
  return names.map((name) => {
    const started = turn.then(async () => {
      while (running.size >= most) await Promise.race(running);
      const result = run(checks[name].args);
      running.add(result);
      result.then(() => running.delete(result));
      return { result };
    });
    turn = started;
    return started.then(({ result }) => result);
  });
}

await main(async () => {
  installModules();
  // What the build writes into the tree is not in the repository.
  (await import('./lists.mjs')).writeGenerated(root);
  const words = process.argv.slice(2);
  const unknown = words.find((word) => !checks[word]);
  if (unknown) throw new Error(`There is no check '${unknown}'; there are: ${Object.keys(checks).join(', ')}.`);
  const names = words.length ? words : Object.keys(checks).filter((name) => !checks[name].report);
  const results = runAll(names);
  for (const [i, name] of names.entries()) {
    const { code, output } = await results[i];
    const note = code === 0 && output && !output.includes('\n') ? ` (${output})` : '';
    console.log(`${name.padEnd(8)} ${code === 0 ? 'ok' : 'FAILED'}${note}`);
    if (code === 0 && checks[name].report) console.log(output);
    if (code === 0) continue;
    console.log(`${output}\n-> ${checks[name].remedy}`);
    process.exitCode = 1;
  }
});
