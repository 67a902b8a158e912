// The tracker on each build of the kernels in Node, and OpenCV's TLD beside it.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import { python } from '../../../bench/parts/python.mjs';
import { buildScalar } from './scalar.mjs';

/** The scalar kernels work in rows of a frame, for which the package's own need no room. */
const SCALAR_SCRATCH = 1 << 20;

const script = fileURLToPath(new URL('native.py', import.meta.url));

/** { Runtime, runClip, enlarged, SIZES, one, two, scalar, dispose } */
export async function openSides({ root, importTs, bundleForPage }) {
  const measure = await importTs('lab/objects/parts/measure.ts');
  const { Runtime } = measure;
  const { compileKernels } = await importTs('src/runtime/wasm/kernels.ts');
  const compile = (shared) =>
    compileKernels(new Uint8Array(readFileSync(path.join(root, 'dist/kernels.wasm'))), shared);
  const code = await bundleForPage('lab/objects/parts/thread.ts', { name: 'thread' });
  const helper = `${code};const { workerData, parentPort } = require('node:worker_threads');
parentPort.postMessage('ready'); thread.live(workerData);`;
  const workers = [];
  const spawn = (start) =>
    new Promise((resolve, reject) => {
      const worker = new Worker(helper, { eval: true, workerData: start });
      workers.push(worker);
      worker.once('message', () => resolve(worker));
      worker.once('error', reject);
    });
  const single = await compile(false);
  const sides = {
    scalar: await Runtime.create({ module: await WebAssembly.compile(await buildScalar()) }),
    one: await Runtime.create({ module: single }),
    two: await Runtime.create({ module: await compile(true), threads: 2, spawn, maximum: 512 << 20 }),
  };
  sides.scalar.pool.reserve(SCALAR_SCRATCH);
  const dispose = () => {
    for (const side of Object.values(sides)) side.dispose();
    for (const worker of workers) worker.unref();
  };
  return { ...measure, ...sides, dispose };
}

/** Processor milliseconds of this process, all threads. */
export const processor = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

/** { ms, cpu } of OpenCV's TLD, or { skipped }. */
export function nativeTld({ width, height, box, frames }, steps, warm) {
  const folder = mkdtempSync(path.join(tmpdir(), 'objects-'));
  try {
    const file = path.join(folder, 'frames');
    writeFileSync(file, Buffer.concat(frames));
    return python(script, file, width, height, box.x, box.y, box.width, box.height, steps, warm);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
