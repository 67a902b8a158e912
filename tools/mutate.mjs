// Applies every change of tools/mutations.mjs, one after the other, to a copy of the tree, and runs the tests that ought to
// notice, without ../shared, as in a fresh clone: a change that passes survives. A test that nothing can fail is found this way.
//   npm run mutate                  all of them, an hour or two: each change of a kernel builds the kernels anew
//   npm run mutate -- --quick       without those of kernels
//   npm run mutate -- vessels flow  those whose capability or file has one of these words
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { execFileSync, spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { root } from './setup.mjs';
import { mutations } from './mutations.mjs';

const words = process.argv.slice(2).filter((word) => word !== '--quick');
const quick = process.argv.includes('--quick');
const ofKernels = (file) => file.startsWith('assembly/');
const chosen = mutations.filter(
  ({ capability, file }) =>
    !(quick && ofKernels(file)) &&
    (!words.length || words.some((word) => capability.includes(word) || file.includes(word))),
);

/** The tree as git knows it, with the packages and what was built. */
function copyOfTree() {
  const folder = path.join(mkdtempSync(path.join(tmpdir(), 'foveola-mutate-')), 'tree');
  const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { cwd: root, encoding: 'utf8' });
  for (const file of files.split('\n'))
    if (file && existsSync(path.join(root, file))) cpSync(path.join(root, file), path.join(folder, file));
  for (const built of ['dist', 'build']) cpSync(path.join(root, built), path.join(folder, built), { recursive: true });
  symlinkSync(path.join(root, 'node_modules'), path.join(folder, 'node_modules'));
  return folder;
}

function run(folder, command, args, env = {}) {
  const options = { cwd: folder, encoding: 'utf8', timeout: 300_000, killSignal: 'SIGKILL' };
  return spawnSync(command, args, {
    ...options,
    env: { ...process.env, FOVEOLA_SHARED: path.join(folder, 'nowhere'), ...env },
  });
}

/** Whether the tests pass; `test` is 'parity <part of stages' names>', a .test.ts of the browser or a .test.mjs of Node. */
function passes(folder, test) {
  if (test.startsWith('parity ')) {
    const env = { FOVEOLA_STAGE: test.slice('parity '.length) };
    return run(folder, 'npx', ['wtr', '--files', 'test/parity/parity.test.ts'], env).status === 0;
  }
  const [file, name] = test.split(' # ');
  if (file.endsWith('.mjs'))
    return run(folder, 'node', ['--test', ...(name ? [`--test-name-pattern=${name}`] : []), file]).status === 0;
  return run(folder, 'npx', ['wtr', '--files', file]).status === 0;
}

/** The build that a change of this file asks for; tests take the sources of everything else. */
const build = (folder, file) => !ofKernels(file) || run(folder, 'node', ['tools/build-wasm.mjs']).status === 0;

/** Puts the built kernels back. */
function restore(folder, file) {
  if (!ofKernels(file)) return;
  for (const built of ['dist', 'build']) cpSync(path.join(root, built), path.join(folder, built), { recursive: true });
}

const folder = copyOfTree();
run(folder, 'node', ['tools/lists.mjs']);
const survivors = [];
const unclear = [];
try {
  for (const [i, { capability, file, from, to, tests }] of chosen.entries()) {
    const at = path.join(folder, file);
    const before = readFileSync(at, 'utf8');
    const name = `${capability}: ${file}: ${from.trim()} -> ${to.trim()}`;
    const places = before.split(from).length - 1;
    if (places !== 1) {
      unclear.push(`${name} (found ${places} times)`);
      continue;
    }
    writeFileSync(
      at,
      before.replace(from, () => to),
    );
    const built = build(folder, file);
    const noticed = !built || tests.some((test) => !passes(folder, test));
    if (!noticed) survivors.push(name);
    console.log(`${String(i + 1).padStart(3)} of ${chosen.length}  ${noticed ? 'noticed ' : 'SURVIVES'}  ${name}`);
    writeFileSync(at, before);
    restore(folder, file);
  }
} finally {
  rmSync(path.dirname(folder), { recursive: true, force: true });
}
for (const line of unclear) console.log(`NOT APPLIED  ${line}`);
console.log(
  `${chosen.length - survivors.length - unclear.length} noticed, ${survivors.length} survive, ${unclear.length} not applied`,
);
process.exitCode = survivors.length > 2 || unclear.length ? 1 : 0;
