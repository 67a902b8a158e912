// Pupil: the sequential program with native OpenCV's filters and with scalar ones, against WASM, whole frames in each.
//   --frames N: of the paper's sequence, 12; --quick: 3. Without python3 and cv2, OpenCV is skipped
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import { argument } from '../../bench/parts/kept-result.mjs';
import { python } from '../../bench/parts/python.mjs';
import { fixed, Report } from '../../bench/parts/report.mjs';

/** The paper's sequential program and its best on the GPU, one eye. */
const PAPER = { sequential: 22, gpu: 1260, ratio: 57.3, openMp: 2.2 };
const THREADS = [1, 2, 4].filter((count) => count <= Math.max(2, availableParallelism()));

/** { version, digests, ms: { threads: ms } } of the filters, or { skipped }. */
function nativeFilters(root, frames, values, seconds) {
  const folder = mkdtempSync(path.join(tmpdir(), 'foveola-'));
  try {
    const file = path.join(folder, 'frames');
    writeFileSync(file, Buffer.concat(frames.map(({ data }) => data)));
    const { reflectionSize, reflectionThreshold, reflectionDilation, gaussianSize, gaussianSigma } = values;
    const filters = [reflectionSize, reflectionThreshold, reflectionDilation, gaussianSize, gaussianSigma];
    const [{ width, height }] = frames;
    return python(path.join(root, 'lab/pupil/native.py'), width, height, file, ...filters, THREADS, seconds);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Number of frames with equal centers, as far as floats of 32 bits allow. */
const same = (distances) => `${distances.filter((one) => one < 0.001).length} of ${distances.length}`;

/** A runtime on this number of threads, and a function that ends it. */
async function openRuntime({ Runtime, compileKernels }, root, threads) {
  const bytes = new Uint8Array(readFileSync(path.join(root, 'dist/kernels.wasm')));
  const workers = [];
  const spawn = (workerData) =>
    new Promise((resolve, reject) => {
      const worker = new Worker(new URL('../faces/parts/thread.mjs', import.meta.url), { workerData });
      workers.push(worker);
      worker.once('message', () => resolve(worker));
      worker.once('error', reject);
    });
  const module = await compileKernels(bytes, threads > 1);
  const runtime = await Runtime.create(threads > 1 ? { module, threads, spawn } : { module });
  return { runtime, end: () => (runtime.dispose(), Promise.all(workers.map((worker) => worker.terminate()))) };
}

export default async function baseline(given) {
  const { args, root, importTs } = given;
  const count = args.includes('--quick') ? 3 : Number(argument(args, '--frames') ?? 12);
  const own = await importTs('lab/pupil/parts/baseline-run.ts');
  const report = new Report(given);
  const frames = own.framesOf(count, 25);
  const native = nativeFilters(root, frames, own.values, args.includes('--quick') ? 0.2 : 2);
  own.sequential(frames.slice(0, 2)); // compiled
  const scalar = own.sequential(frames);
  const sum = scalar.filters + scalar.rest;
  const rows = [['scalar filters, scalar search', fixed(scalar.filters, 2), fixed(scalar.rest, 2), sum, '']];
  for (const [threads, ms] of Object.entries(native.ms ?? {}))
    rows.push([`OpenCV ${native.version} on ${threads} threads, scalar search`, fixed(ms, 2), fixed(scalar.rest, 2), ms + scalar.rest, '']); // prettier-ignore
  for (const threads of THREADS) {
    const { runtime, end } = await openRuntime(own, root, threads);
    for (const tiles of [false, true]) {
      const { ms, circles } = own.kernels(runtime, frames, tiles, 5);
      rows.push([`WASM, ${tiles ? 'tiles as they are needed' : 'whole frames'}, ${threads} threads`, '', '', ms, same(own.apart(circles, scalar.circles))]); // prettier-ignore
    }
    await end();
  }
  const fair = native.ms ? native.ms[1] + scalar.rest : NaN;
  report.line(
    `${frames.length} frames of the paper’s rendered sequence, 1280x1024, each searched from the middle of the frame by the paper’s variant; ` +
      'medians by the clock, frames in memory. The search of the sequential program is scalar TypeScript in all of its rows, as it is C in the paper.',
  );
  report.heading('Sequential programs and WASM, whole frames');
  report.table([
    ['program', 'filters, ms', 'search, ms', 'ms', 'frames a second', 'times the scalar', 'times the OpenCV program', 'same centers'], // prettier-ignore
    ...rows.map(([name, filters, rest, ms, far]) => [
      ...[name, filters, rest, fixed(ms, 2), fixed(1000 / ms, 1), fixed(sum / ms, 1), fixed(fair / ms, 1), far],
    ]),
  ]);
  if (native.skipped) report.line(`Native OpenCV: skipped (${native.skipped}).`);
  else {
    const digest = ({ mask, levels }) => createHash('sha256').update(mask).update(levels).digest('hex');
    const unlike = scalar.prepared.filter((made, i) => digest(made) !== native.digests[i]).length;
    report.line(
      `Frames on which OpenCV’s filters and the scalar ones give other bytes: ${unlike} of ${frames.length}.`,
    );
  }
  report.line(
    `The paper: ${PAPER.sequential} frames a second with OpenCV’s filters on one thread, ${PAPER.openMp} times that with OpenMP on four cores, ` +
      `${PAPER.ratio} times (${PAPER.gpu}) on its GPU.`,
  );
  report.finish('lab/results/performance.md', 'baseline pupil', 'baseline pupil');
}
