/** The page's half of `bench speed flow`: sparse flow beside OpenCV.js, dense flow, the scalar baseline. */
import { createEngine } from '../../../src/engine.ts';
import { FlowPyramid, trackPoints } from '../../../src/flow/index.ts';
import { compileKernels } from '../../../src/runtime/wasm/kernels.ts';
import type { Plane } from '../../../src/runtime/plane.ts';
import { Runtime } from '../../../src/runtime/runtime.ts';
import { driveNow } from '../../../src/runtime/stage.ts';
import { openCv } from '../../../bench/image/parts/opencv.ts';
import { baseline } from './baseline.ts';
import { median } from '../../../bench/parts/numbers.ts';

const bytesOf = async (url: string) => new Uint8Array(await (await fetch(url)).arrayBuffer());

/** Median milliseconds of calls over about so many milliseconds. */
async function timeOf(call: () => unknown, budget: number): Promise<number> {
  const times: number[] = [];
  for (const end = performance.now() + budget; !times.length || performance.now() < end;) {
    const start = performance.now();
    await call();
    times.push(performance.now() - start);
  }
  return median(times);
}

let frames: [Uint8Array, Uint8Array];
let planes: [Plane, Plane];
let points: Float32Array;
let runtime: Runtime;
let size: { width: number; height: number };
/* eslint-disable-next-line @typescript-eslint/no-explicit-any -- OpenCV.js is a global without types here */
let cv: any = null;

/** Frames and corners; whether OpenCV.js is there. */
export async function open(width: number, height: number): Promise<boolean> {
  size = { width, height };
  frames = [await bytesOf('/flow-previous'), await bytesOf('/flow-next')];
  points = new Float32Array((await bytesOf('/flow-points')).buffer);
  runtime = await Runtime.create({ module: await compileKernels(fetch('/dist/kernels.wasm')) });
  planes = frames.map((data) => runtime.plane(width, height, 'u8', data)) as [Plane, Plane];
  cv = 'cv' in globalThis ? (await openCv()).cv : null;
  return cv !== null;
}

/** Both pyramids built inside, as OpenCV does. */
export function sparse(count: number, budget: number): Promise<number> {
  const some = points.slice(0, 2 * count);
  return timeOf(
    () =>
      driveNow(runtime, function* (scope) {
        const previous = scope.own(yield* FlowPyramid.build(scope, planes[0]));
        const next = scope.own(yield* FlowPyramid.build(scope, planes[1]));
        return yield* trackPoints(scope, previous, next, some);
      }),
    budget,
  );
}

/** As a tracker does: the previous frame's pyramid is there already. */
export function sparseTracking(count: number, budget: number): Promise<number> {
  const some = points.slice(0, 2 * count);
  const previous = driveNow(runtime, (scope) => FlowPyramid.build(scope, planes[0], { copy: true }));
  return timeOf(
    () =>
      driveNow(runtime, function* (scope) {
        const next = scope.own(yield* FlowPyramid.build(scope, planes[1], { copy: true }));
        return yield* trackPoints(scope, previous, next, some);
      }),
    budget,
  ).finally(() => previous.dispose());
}

export function sparsePeer(count: number, budget: number): Promise<number> {
  const { width, height } = size;
  const [previous, next] = frames.map((data) => {
    const mat = new cv.Mat(height, width, cv.CV_8UC1);
    mat.data.set(data);
    return mat;
  });
  const from = new cv.Mat(count, 1, cv.CV_32FC2);
  from.data32F.set(points.subarray(0, 2 * count));
  const [to, status, error] = [new cv.Mat(), new cv.Mat(), new cv.Mat()];
  const criteria = new cv.TermCriteria(3, 30, 0.01);
  const window = new cv.Size(21, 21);
  return timeOf(
    () => cv.calcOpticalFlowPyrLK(previous, next, from, to, status, error, window, 3, criteria),
    budget,
  ).finally(() => [previous, next, from, to, status, error].forEach((mat) => mat.delete()));
}

/** Best milliseconds of engine.opticalFlow with one and two threads, turn about: the ratio needs both cores free. */
export async function dense(width: number, height: number, rounds: number, params: object = {}) {
  const engines = [];
  for (const threads of [1, 2])
    engines.push(await createEngine({ worker: true, assetBase: '/isolated/dist/', backend: 'wasm', threads }));
  const cut = frames.map((data) => ({ width, height, data: crop(data, width, height) }));
  const best = [Infinity, Infinity];
  const threads = engines.map(({ capabilities }) => capabilities.threads);
  for (let round = 0; round < rounds; round++)
    for (const [k, engine] of engines.entries()) {
      const start = performance.now();
      await engine.opticalFlow(cut[0]!, cut[1]!, params);
      best[k] = Math.min(best[k]!, performance.now() - start);
    }
  for (const engine of engines) await engine.dispose();
  return { best, threads };
}

function crop(data: Uint8Array, width: number, height: number): Uint8Array<ArrayBuffer> {
  const out = new Uint8Array(width * height);
  const left = (size.width - width) >> 1;
  const top = (size.height - height) >> 1;
  for (let y = 0; y < height; y++) {
    const from = (top + y) * size.width + left;
    out.set(data.subarray(from, from + width), y * width);
  }
  return out;
}

/** Milliseconds of the scalar baseline. */
export function scalar(width: number, height: number): number {
  const [a, b] = frames.map((data) => crop(data, width, height)) as [Uint8Array, Uint8Array];
  const start = performance.now();
  baseline(width, height, a, b);
  return performance.now() - start;
}
