// Builds the kernels: all of them for the tests, and out of these those that the package ships. The flag of shared memory is set
// when they are loaded (src/runtime/wasm/kernels.ts).
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import path from 'node:path';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { fingerprint, isFresh, writeWhole } from './fingerprint.mjs';
import { entryOf, fileFrom, tableOf, withTable } from './kernel-border.mjs';
import { writeGenerated } from './lists.mjs';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const inputs = [
  'assembly',
  'asconfig.json',
  'tools/build-wasm.mjs',
  'tools/kernel-border.mjs',
  'tools/kernel-subset.mjs',
  'node_modules/assemblyscript/package.json',
];
const stamp = 'dist/.stamps/kernels';
const outputs = { shipped: 'dist/kernels.wasm', all: 'build/kernels.test.wasm' };

/** The compiler's options, in the build's own folder: with little optimization they need a fifth of the time. */
function configOf(folder, plain) {
  const config = JSON.parse(readFileSync(path.join(root, 'asconfig.json'), 'utf8'));
  if (plain) config.options.optimizeLevel = 1;
  const file = path.join(folder, 'asconfig.json');
  writeFileSync(file, JSON.stringify(config));
  return file;
}

/**
 * Returns whether anything had to be built. `plain`: for tests alone, the same results with little optimization. `shipped`: without
 * test kernels.
 */
export async function buildWasm({ force = false, plain = false, shipped: alone = false } = {}) {
  const { border, shipped, tests } = writeGenerated(root);
  const all = [...shipped, ...tests].sort();
  const print = `${fingerprint(root, inputs)} ${shipped.join()} ${tests.join()}${plain ? ' plain' : ''}${alone ? ' shipped' : ''}`;
  if (!force && isFresh(root, stamp, print, Object.values(outputs))) return false;
  mkdirSync(path.join(root, 'dist'), { recursive: true });
  mkdirSync(path.join(root, 'build'), { recursive: true });
  const folder = mkdtempSync(path.join(root, 'build/.kernels-')); // two builds at a time do not meet
  const config = configOf(folder, plain);
  const names = alone ? shipped : all;
  const entry = path.join(folder, 'kernels.ts');
  writeFileSync(entry, entryOf(names, fileFrom(border, path.relative(root, folder))));
  try {
    const wasm = withTable(await inThread({ entry, config }), tableOf(border, names));
    if (!alone) writeWhole(path.join(root, outputs.all), wasm);
    writeWhole(path.join(root, outputs.shipped), alone ? wasm : await shippedOf(wasm, shipped));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  writeWhole(path.join(root, stamp), print);
  return true;
}

/** To compile all of them once and to leave some out takes half of the time of two builds. */
async function shippedOf(wasm, shipped) {
  const { kernelSubset } = await import('./kernel-subset.mjs');
  return kernelSubset(wasm, shipped.map((name) => `.${name}(`).join()).wasm;
}

/** Compiles in a thread, so that other parts of the build run at the same time. */
const inThread = (job) =>
  new Promise((resolve, reject) => {
    const worker = new Worker(fileURLToPath(import.meta.url), { workerData: job });
    worker.on('message', ({ wasm, problem }) => (problem ? reject(new Error(problem)) : resolve(Buffer.from(wasm))));
    worker.on('error', reject);
  });

async function compile({ entry, config }) {
  const { default: asc } = await import('assemblyscript/asc');
  const file = entry.replace(/ts$/, 'wasm');
  const given = [
    path.relative(root, entry),
    '--config',
    config,
    '--baseDir',
    root,
    '--outFile',
    path.relative(root, file),
  ];
  const { error, stderr } = await asc.main(given);
  if (error) return { problem: `AssemblyScript: ${error.message}\n${String(stderr).slice(0, 4000)}` };
  return { wasm: readFileSync(file) };
}

if (!isMainThread && workerData?.entry) parentPort.postMessage(await compile(workerData));
else if (process.argv[1] === fileURLToPath(import.meta.url))
  console.log(
    (await buildWasm(
      Object.fromEntries(['force', 'plain', 'shipped'].map((word) => [word, process.argv.includes(`--${word}`)])),
    ))
      ? 'kernels built'
      : 'kernels up to date',
  );
