// Changed files and random calls, until the time is over: `npm run fuzz -- 10` for ten minutes. A trial fails that hangs,
// ends its process, takes longer than five seconds, or ends in an error that is not one of the library's own (or is
// 'internal'). What failed is kept with as few changes as fail, in build/fuzz/.
//   npm run fuzz -- [minutes] [--seed N] [--only tiff,recording] [--inputs N, at most of each]
import { fork } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { build } from 'esbuild';
import { table } from '../bench/parts/table.mjs';
import { esbuildCodecs } from './codec-plugin.mjs';
import { esbuildGlsl } from './glsl-plugin.mjs';
import { fuzzElements } from './fuzz/elements.mjs';
import { fuzzInPage } from './fuzz/in-page.mjs';
import { patchedModule } from './patches.mjs';
import { main, root } from './setup.mjs';

/** A process that says nothing for so long hangs, ms. */
const HANG = 20_000;

const patches = {
  name: 'patches',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]node_modules[\\/]mediabunny[\\/].*\.js$/ }, ({ path: file }) => ({
      contents: patchedModule(file, readFileSync(file, 'utf8')) ?? readFileSync(file, 'utf8'),
      loader: 'js',
    }));
  },
};
/** Its trials are calls, not files. */
const isEngine = (name) => name === 'calls' || name === 'trackers';
/** What runs in a page of a browser. */
const inPages = {
  gpu: fuzzInPage('tools/fuzz/gpu-page.ts'),
  media: fuzzInPage('tools/fuzz/media-page.ts'),
  elements: fuzzElements,
};
/** What failed is said in words; else it is a file. */
const isSaid = (name) => isEngine(name) || name === 'identity' || name in inPages;
/** Needs the kernels. */
const computes = (name) => isEngine(name) || name === 'objects' || name === 'gpu';

async function childScript() {
  const { outputFiles } = await build({
    entryPoints: [path.join(root, 'tools/fuzz/child.ts')],
    bundle: true,
    write: false,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    tsconfig: path.join(root, 'tsconfig.json'),
    external: ['node:*', 'chai', 'sharp', 'node-av', 'node-av/*', 'bullmq', 'ioredis', '@bull-board/*'],
    plugins: [patches, esbuildGlsl(), esbuildCodecs()],
  });
  mkdirSync(path.join(root, 'build/fuzz'), { recursive: true });
  // Of this run alone: another one may be under way with other sources.
  const file = path.join(root, `build/fuzz/child-${process.pid}.mjs`);
  writeFileSync(file, outputFiles[0].text);
  return file;
}

/** One process from trial `from` on: where it ended, and what failed. */
function runOnce(script, start, onFailure) {
  return new Promise((resolve) => {
    const child = fork(script, {
      execArgv: ['--max-old-space-size=1024'],
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    let at = start.from;
    let watch;
    const alive = () => {
      clearTimeout(watch);
      watch = setTimeout(() => (child.kill('SIGKILL'), end('hangs')), HANG);
    };
    const end = (how) => {
      clearTimeout(watch);
      child.removeAllListeners();
      resolve({ at, how });
    };
    child.on('message', (heard) => {
      alive();
      if ('at' in heard) at = heard.at;
      if ('failed' in heard) onFailure(heard);
      if ('done' in heard) {
        at = heard.done;
        child.kill();
        end('done');
      }
    });
    child.on('exit', (code, signal) => end(`its process ended (${signal ?? code})`));
    alive();
    child.send(start);
  });
}

/** A target for its time; what hangs or ends the process is found by going on one by one. */
async function fuzz(script, target, { seed, milliseconds, inputs }) {
  const failures = [];
  const began = performance.now();
  const left = () => milliseconds - (performance.now() - began);
  let from = 0;
  while (left() > 0 && from < inputs) {
    const start = { target, seed, from, to: inputs, root, each: false, milliseconds: left() };
    const note = (heard) =>
      failures.push({ number: heard.failed, message: heard.message, shown: heard.shown, smallest: heard.smallest });
    const { at, how } = await runOnce(script, start, note);
    if (how === 'done') return { inputs: at, failures, seconds: (performance.now() - began) / 1000 };
    const { at: one } = await runOnce(script, { ...start, from: at, each: true, milliseconds: HANG }, () => {});
    failures.push({ number: one, message: how, shown: '', smallest: NaN });
    from = one + 1;
  }
  return { inputs: from, failures, seconds: (performance.now() - began) / 1000 };
}

await main(async () => {
  const args = process.argv.slice(2);
  const option = (name) => (args.includes(name) ? args[args.indexOf(name) + 1] : undefined);
  const minutes = Number(args.find((word, i) => /^[\d.]+$/.test(word) && !args[i - 1]?.startsWith('--')) ?? 2);
  const seed = Number(option('--seed') ?? 1);
  const inputs = Number(option('--inputs') ?? Number.MAX_SAFE_INTEGER);
  const names = [
    'tiff',
    'dicom',
    'png',
    'stack',
    'recording',
    'cascade',
    'landmarks',
    'journal',
    'protocol',
    'header',
    'truth',
    'objects',
    'calls',
    'trackers',
    'identity',
    'gpu',
    'media',
    'elements',
  ];
  const chosen = option('--only')?.split(',') ?? names;
  const unknown = chosen.filter((name) => !names.includes(name) && name !== 'self');
  if (unknown.length) throw new Error(`There is no target ${unknown.join(', ')}; take some of ${names.join(', ')}.`);
  if (chosen.some((name) => computes(name)) && !existsSync(path.join(root, 'dist/kernels.wasm')))
    throw new Error('dist/kernels.wasm is not there: run `npm run build:wasm` first.');
  if (chosen.some((name) => name in inPages) && !existsSync(path.join(root, 'dist/foveola.cdn.js')))
    throw new Error('dist/foveola.cdn.js is not there: run `npm run build` first.');
  const script = await childScript();
  const side = Math.min(2, availableParallelism());
  const milliseconds = (minutes * 60_000 * side) / chosen.length;
  const waiting = [...chosen];
  const results = {};
  const work = async () => {
    for (let name = waiting.shift(); name; name = waiting.shift())
      results[name] =
        name in inPages
          ? await inPages[name]({ seed, milliseconds, inputs })
          : await fuzz(script, name, { seed, milliseconds, inputs });
  };
  await Promise.all(Array.from({ length: side }, work));
  rmSync(script);
  const rows = [['target', 'inputs', 'seconds', 'failures']];
  for (const name of chosen) {
    const { inputs, seconds, failures } = results[name];
    rows.push([name, String(inputs), seconds.toFixed(0), String(failures.length)]);
  }
  console.log(`${table(rows)}\nseed ${seed}`);
  for (const name of chosen)
    for (const { number, message, shown, smallest } of results[name].failures.slice(0, 10)) {
      console.log(`${name} ${number}: ${message}${isSaid(name) ? ` ${shown}` : ''}`);
      if (isSaid(name) || !shown) continue;
      const file = path.join('build/fuzz', `${name}-${seed}-${number}.bin`);
      writeFileSync(path.join(root, file), Buffer.from(shown, 'base64'));
      console.log(`  ${file}, ${smallest} changes`);
    }
  if (Object.values(results).some(({ failures }) => failures.length)) process.exitCode = 1;
});
