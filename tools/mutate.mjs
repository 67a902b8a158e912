// Applies every change of tools/mutations.mjs, one after the other, to a copy of the tree, and runs the tests that have to
// notice, without ../shared, as in a fresh clone: a change that passes survives. A test that nothing can fail is found this way.
// A change that does not build is not counted, nor is a test that fails without it.
//   npm run mutate                  all of them, half an hour: each change of a kernel builds the kernels again
//   npm run mutate -- --quick       without those of kernels
//   npm run mutate -- vessels flow  those whose capability or file has one of these words
import { rmSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { copyBuilt, copyOfTree, replaceOnce } from './tree-copy.mjs';
import { mutations } from './mutations.mjs';

const words = process.argv.slice(2).filter((word) => word !== '--quick');
const quick = process.argv.includes('--quick');
const ofKernels = (file) => file.startsWith('assembly/');
const chosen = mutations.filter(
  ({ capability, file }) =>
    !(quick && ofKernels(file)) &&
    (!words.length || words.some((word) => capability.includes(word) || file.includes(word))),
);

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
const build = (folder) => run(folder, 'node', ['tools/build-wasm.mjs', '--plain']).status === 0;

const folder = copyOfTree('mutate');
const kept = path.join(path.dirname(folder), 'kept');
run(folder, 'node', ['tools/lists.mjs']);
if (chosen.some(({ file }) => ofKernels(file))) {
  // Kernels without a change, but built in the same way.
  if (!build(folder)) throw new Error('The kernels do not build as they are.');
  copyBuilt(folder, kept);
}

/** Tests that fail with nothing changed say nothing: each that notices something is run once more without it. */
const soundness = new Map();
const isSound = (test) => {
  if (!soundness.has(test)) soundness.set(test, passes(folder, test));
  return soundness.get(test);
};

const survivors = [];
const unclear = [];
try {
  for (const [i, { capability, file, from, to, tests }] of chosen.entries()) {
    const name = `${capability}: ${file}: ${from.trim()} -> ${to.trim()}`;
    const putBack = replaceOnce(folder, file, from, to);
    if (!putBack) {
      unclear.push(`${name} (does not stand there once)`);
      continue;
    }
    const built = !ofKernels(file) || build(folder);
    const noticing = built && tests.find((test) => !passes(folder, test));
    putBack();
    if (ofKernels(file)) copyBuilt(kept, folder);
    let verdict = 'SURVIVES';
    if (!built) verdict = 'NO BUILD';
    else if (noticing) verdict = isSound(noticing) ? 'noticed ' : 'UNSOUND ';
    if (verdict === 'SURVIVES') survivors.push(name);
    if (verdict === 'NO BUILD') unclear.push(`${name} (does not build)`);
    if (verdict === 'UNSOUND ') unclear.push(`${name} (${noticing} fails without it)`);
    console.log(`${String(i + 1).padStart(3)} of ${chosen.length}  ${verdict}  ${name}`);
  }
} finally {
  rmSync(path.dirname(folder), { recursive: true, force: true });
}
for (const line of unclear) console.log(`NOT COUNTED  ${line}`);
console.log(
  `${chosen.length - survivors.length - unclear.length} noticed, ${survivors.length} survive, ${unclear.length} not counted`,
);
process.exitCode = survivors.length > 2 || unclear.length ? 1 : 0;
