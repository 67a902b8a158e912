// `npm run build`: dist/ as the public contract lists it. Kernels first (the single file contains them), then bundles,
// then types and manifest. Each step is left out while its inputs are unchanged, unless --force.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import path from 'node:path';
import { buildPackage, packageTools } from './build-package.mjs';
import { buildTypes } from './build-types.mjs';
import { buildWasm } from './build-wasm.mjs';
import { bundleAll } from './bundle.mjs';
import { kernelsOf } from './engine-parts.mjs';
import { integrity } from './integrity.mjs';
import { filesBelow, fingerprint, isFresh, writeWhole } from './fingerprint.mjs';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const at = (...parts) => path.join(root, ...parts);

/** The most that each CDN script may have, in gzipped bytes: the public contract. */
export const cdnBudgets = {
  'foveola.cdn.js': 230_000,
  'foveola-pupil.cdn.js': 115_000,
  'foveola-pupil-test.cdn.js': 140_000,
  'foveola-face.cdn.js': 115_000,
  'foveola-track.cdn.js': 115_000,
  'foveola-vessels.cdn.js': 115_000,
  'foveola-filter.cdn.js': 115_000,
};
/** Files that a page fetches until its first pupil, and their most gzipped bytes. */
export const firstPupil = { files: ['foveola-pupil.cdn.js', kernelsOf('foveola-pupil.cdn.js')], budget: 135_000 };

const bundleInputs = [
  'src',
  'widget',
  'glsl',
  'assembly',
  'models',
  'asconfig.json',
  'patches',
  'rollup.config.js',
  'tsconfig.json',
];
const toolInputs = [
  'package.json',
  'package-lock.json',
  'tools/build.mjs',
  'tools/bundle.mjs',
  'tools/codec-plugin.mjs',
  'tools/effect-texts.mjs',
  'tools/glsl-plugin.mjs',
  'tools/engine-parts.mjs',
  'tools/single-file.mjs',
  'tools/asset-files.mjs',
  'tools/integrity.mjs',
  'tools/patches.mjs',
  'tools/lists.mjs',
  'tools/lit-inside.mjs',
  'tools/minify.mjs',
  'tools/kernel-subset.mjs',
  'tools/deflate.mjs',
  'tools/wasm-streams.mjs',
];

async function buildBundles(log) {
  const { missing } = await import('../rollup.config.js');
  if (missing.length) log(`not built, because not there yet: ${missing.join(', ')}`);
  mkdirSync(at('dist'), { recursive: true });
  const scratch = mkdtempSync(at('dist/.bundles-'));
  try {
    const packages = await bundleAll(scratch); // a test compares them with NOTICE
    const outputs = filesBelow(scratch, readdirSync(scratch));
    for (const file of outputs) writeWhole(at('dist', file), readFileSync(path.join(scratch, file)));
    writeWhole(at('dist/sri.json'), sriHashes());
    writeWhole(at('dist/.bundled.json'), JSON.stringify([...packages].sort()));
    return [...outputs, 'sri.json', '.bundled.json'].map((file) => `dist/${file}`);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

function reportSizes(outputs, log) {
  for (const file of outputs.filter((name) => name.endsWith('.js'))) {
    const content = readFileSync(at(file));
    const size = gzipSync(content, { level: 9 }).length;
    log(
      `${file.padEnd(32)} ${(content.length / 1000).toFixed(1).padStart(7)} kB ${(size / 1000).toFixed(1).padStart(7)} kB gz`,
    );
  }
}

/** What pages load when it is needed, each a file of its own. */
export const laterFiles = [
  'chart.js',
  'every-frame.js',
  'extras.js',
  'face-search.js',
  'gpu.js',
  'image-codecs.js',
  'image-files.js',
  'kept-recordings.js',
  'player.js',
  'pupil-review.js',
  'recording-writer.js',
  'several-files.js',
  'test-panels.js',
  'tools.js',
  'vessel-corrections.js',
  'vessel-search.js',
  'video-writer.js',
  'words-de.js',
];

/** Hashes of all files that a page may load from elsewhere, for `integrity` attributes. */
function sriHashes() {
  const modules = ['foveola.elements.js', 'reports.js', 'worker.js', ...laterFiles];
  const scripts = [...Object.keys(cdnBudgets).flatMap((script) => [script, kernelsOf(script)]), ...modules];
  const models = readdirSync(at('dist/models')).map((file) => `models/${file}`);
  const files = [...scripts, 'kernels.wasm', ...models];
  return `${JSON.stringify(Object.fromEntries(files.map((file) => [file, integrity(readFileSync(at('dist', file)))])), null, 2)}\n`;
}

const gzipped = (file) => gzipSync(readFileSync(at('dist', file)), { level: 9 }).length;
function checkSize(what, size, budget) {
  if (size > budget) throw new Error(`${what} has ${size} bytes gzipped; its budget is ${budget}. Load something lazily or drop it.`); // prettier-ignore
}

/** The CDN scripts in gzipped bytes, or an error when one is over its budget. */
export function checkBudgets() {
  const built = Object.entries(cdnBudgets).filter(([file]) => existsSync(at('dist', file)));
  const sizes = Object.fromEntries(built.map(([file]) => [file, gzipped(file)]));
  for (const [file, budget] of built) checkSize(file, sizes[file], budget);
  const { files, budget } = firstPupil;
  if (files[0] in sizes)
    checkSize(
      files.join(' with '),
      files.map(gzipped).reduce((a, b) => a + b),
      budget,
    );
  return sizes;
}

/** Runs one step unless its stamp says that nothing has changed. The stamp keeps the list of what the step wrote. */
async function step(name, inputs, { force, work }) {
  const stamp = `dist/.stamps/${name}`;
  const list = at(`${stamp}.outputs`);
  const print = fingerprint(root, inputs);
  const known = existsSync(list) ? JSON.parse(readFileSync(list, 'utf8')) : null;
  if (!force && known && isFresh(root, stamp, print, known)) return { outputs: known, built: false };
  rmSync(at(stamp), { force: true }); // a failed step stays stale
  const outputs = await work();
  for (const old of known ?? []) if (!outputs.includes(old)) rmSync(at(old), { force: true }); // the package has all of dist
  writeWhole(list, JSON.stringify(outputs));
  writeWhole(at(stamp), print);
  return { outputs, built: true };
}

/** The shipped models: as they are, beside the bundles. */
function copyModels() {
  const old = existsSync(at('dist/models')) ? readdirSync(at('dist/models')) : [];
  for (const file of old) if (!existsSync(at('models', file))) rmSync(at('dist/models', file)); // the package has all of dist
  for (const file of filesBelow(at('models'), readdirSync(at('models')))) {
    const content = readFileSync(at('models', file));
    const to = at('dist/models', file);
    if (!existsSync(to) || !readFileSync(to).equals(content)) writeWhole(to, content);
  }
}

/** @param options.kernelsBuilt called after the kernels are built */
export async function build({ bundles = true, types = true, force = false, log = console.log, kernelsBuilt } = {}) {
  const kernels = (async () => {
    if (await buildWasm({ force })) log('kernels built'); // it begins with what is generated into src/
    copyModels();
    kernelsBuilt?.();
  })();
  const buildAllBundles = async () => {
    const outputs = await buildBundles(log);
    reportSizes(outputs, log);
    return outputs;
  };
  const steps = [
    kernels,
    // A compiler of kernels takes one core, and so do types.
    types && buildPackageTypes({ force, log }),
    bundles && kernels.then(() => step('bundles', [...bundleInputs, ...toolInputs], { force, work: buildAllBundles })),
  ];
  // Side by side; what fails is said when nothing writes any more.
  const failed = (await Promise.allSettled(steps)).find(({ status }) => status === 'rejected');
  if (failed) throw failed.reason;
}

/** Types, and then what is made with them. */
async function buildPackageTypes({ force, log }) {
  const inputs = [
    'src',
    'widget',
    'glsl',
    'tsconfig.json',
    'tsconfig.build.json',
    'tools/modules.d.ts',
    ...packageTools,
    ...toolInputs,
  ];
  await step('types', inputs, { force, work: async () => buildTypes((await import('../rollup.config.js')).entries) });
  await step('package', inputs, { force, work: () => buildPackage(log) });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { main, installModules } = await import('./setup.mjs');
  await main(async () => {
    installModules();
    await build({ force: !process.argv.includes('--stale') });
    checkBudgets(); // a test checks it as well; files that are too large are there nevertheless
  });
}
