/**
 * The page of `bench hardware objects`: a frame of the tracker at the paper's three sizes, by components. It runs on the
 * GPU with WASM, on one WASM thread and, where the page is cross-origin isolated, on several, and as the scalar baseline.
 * Runs in a worker, which is also the script of the helper threads. The result is in window.__result in the end, and in
 * the console on the way. A few minutes.
 */
import { blurOnGpu, DetectorGpu, frameOnGpu, type FrameGpu } from '../../../src/objects/detector.gpu.ts';
import { Detector } from '../../../src/objects/detector.ts';
import { fernTable } from '../../../src/objects/model.ts';
import { SharedFrame } from '../../../src/objects/frame.ts';
import { objectParameters } from '../../../src/objects/parameters.ts';
import { emptyResult } from '../../../src/flow/tracked-points.ts';
import { GpuFlowPyramid } from '../../../src/flow/pyramid.gpu.ts';
import { sparseParameters } from '../../../src/flow/parameters.ts';
import { pointTracks } from '../../../src/flow/track-points.ts';
import { trackPointsGpu } from '../../../src/flow/track-points.gpu.ts';
import { createGpuSide } from '../../../src/runtime/gpu/gpu-backend.ts';
import { compileKernels, Kernels } from '../../../src/runtime/wasm/kernels.ts';
import { resolveParameters } from '../../../src/runtime/parameters.ts';
import { Runtime } from '../../../src/runtime/runtime.ts';
import { drive, run } from '../../../src/runtime/stage.ts';
import { Scope } from '../../../src/runtime/scope.ts';
import { threadLoop, type ThreadStart } from '../../../src/runtime/wasm/thread-pool.ts';
import { enlarged, SIZES, type Clip } from './clip.ts';
import { runClip, streamClip, type Run } from './components.ts';
import { median, pause, round } from '../../../bench/parts/numbers.ts';

interface Start {
  role: 'measure';
  /** Folder of kernels and clips. */
  folder: string;
  kernels: string;
}

function rounded(run: Run): Run {
  const components = Object.fromEntries(Object.entries(run.components).map(([name, ms]) => [name, round(ms)]));
  return { ...run, ms: round(run.ms), components };
}

const spawn = (start: ThreadStart) =>
  new Promise<Worker>((resolve) => {
    const worker = new Worker(self.location.href);
    worker.onmessage = () => resolve(worker);
    worker.postMessage(start);
  });

/** clips.json names the clips, clips.bin has their frames one after the other. */
async function readClips(folder: string): Promise<Clip[]> {
  const list = (await (await fetch(`${folder}clips.json`)).json()) as (Omit<Clip, 'frames'> & { count: number })[];
  const bytes = new Uint8Array(await (await fetch(`${folder}clips.bin`)).arrayBuffer());
  let at = 0;
  return list.map(({ count, ...clip }) => ({
    ...clip,
    frames: Array.from({ length: count }, () => bytes.slice(at, (at += clip.width * clip.height))),
  }));
}

/** Variance of the gray values in the box of the first frame. */
function varianceOf({ width, box, frames }: Clip): number {
  const values: number[] = [];
  const [left, top] = [Math.round(box.x), Math.round(box.y)];
  for (let y = top; y < top + Math.round(box.height); y++)
    for (let x = left; x < left + Math.round(box.width); x++) values.push(frames[0]![y * width + x]!);
  const mean = values.reduce((a, b) => a + b, 0) / values.length;
  return values.reduce((sum, v) => sum + (v - mean) ** 2, 0) / values.length;
}

/** GPU time of each part of a frame, by the device's clock if it has one, otherwise by a fence around many of them. */
async function gpuParts(runtime: Runtime, clip: Clip): Promise<Record<string, number | string>> {
  const side = runtime.gpu!;
  const values = resolveParameters(objectParameters, {}, 'bench');
  const plane = runtime.plane(clip.width, clip.height, 'u8', clip.frames[0]!);
  const frame = runtime.driver.now(SharedFrame.make(runtime, plane, values));
  const detector = Detector.of(runtime, frame, clip.box, fernTable(1), values);
  const gpu = detector.gpu();
  const least = varianceOf(clip) / 2;
  const scope = new Scope(runtime);
  const image = frameOnGpu(scope, frame.gray);
  const flags = gpu.variance(scope, image, least);
  const list = gpu.compact(scope, flags);
  const survivors = await gpu.read(scope, gpu.codes(scope, image, list, 0, gpu.rows(detector.windows.grid.count)));
  const rows = gpu.rows(1.2 * survivors.count);
  const repeats = side.capabilities.software ? 1 : 20;
  const timed = async (body: () => void): Promise<number> => {
    body();
    await side.fence();
    const start = performance.now();
    for (let i = 0; i < repeats; i++) body();
    await side.fence();
    const wall = (performance.now() - start) / repeats;
    const clock = await side.time(() => {
      for (let i = 0; i < repeats; i++) body();
    });
    return round(clock === null ? wall : clock / repeats);
  };
  const result: Record<string, number | string> = {
    windows: detector.windows.grid.count,
    survivors: survivors.count,
    batches: detector.windows.batchCount,
  };
  const uploads: number[] = [];
  for (let i = 0; i < repeats; i++) {
    const start = performance.now();
    const texture = side.allocate(clip.width, clip.height, 'u8');
    side.upload(
      texture,
      runtime.arena.u8.subarray(plane.address, plane.address + plane.stride * plane.height),
      plane.stride,
    );
    side.release(texture);
    await side.fence();
    uploads.push(performance.now() - start);
  }
  result['upload and fence'] = round(median(uploads));
  await parts(scope, result, timed, frame, image, gpu, least, flags, list, rows);
  const reads: number[] = [];
  for (let i = 0; i < repeats; i++) {
    const textures = gpu.codes(scope, image, list, 0, rows);
    await side.fence();
    const start = performance.now();
    await gpu.read(scope, textures);
    reads.push(performance.now() - start);
  }
  result['read-back'] = round(median(reads));
  for (const thing of [scope, detector, frame, plane]) thing.dispose();
  return result;
}

async function parts(
  scope: Scope,
  result: Record<string, number | string>,
  timed: (body: () => void) => Promise<number>,
  frame: SharedFrame,
  image: FrameGpu,
  gpu: DetectorGpu,
  least: number,
  flags: ReturnType<DetectorGpu['variance']>,
  list: ReturnType<DetectorGpu['compact']>,
  rows: number,
): Promise<void> {
  const passes = (body: (own: Scope) => unknown) => timed(() => void scope.within(body));
  result['blur and integral images'] = await passes((own) => frameOnGpu(own, frame.gray));
  result.blur = await passes((own) => blurOnGpu(own, frame.gray));
  result.variance = await passes((own) => gpu.variance(own, image, least));
  result.compaction = await passes((own) => gpu.compact(own, flags));
  result['fern indices'] = await passes((own) => gpu.codes(own, image, list, 0, rows));
}

/**
 * Section 3.2.3 of the paper: the points of median flow by Lucas-Kanade on the GPU, there and back, in the first two
 * frames. Milliseconds from the frames in memory, and from pyramids that are on the GPU, compared with WASM.
 */
async function flowParts(runtime: Runtime, { width, height, box, frames }: Clip): Promise<Record<string, number>> {
  const { flowPoints, flowWindow, flowLevels } = resolveParameters(objectParameters, {}, 'bench');
  const planes = frames.slice(0, 2).map((frame) => runtime.plane(width, height, 'u8', frame));
  const points = new Float32Array(2 * flowPoints * flowPoints);
  for (let i = 0; i < points.length >> 1; i++) {
    points[2 * i] = box.x + (box.width * (0.5 + (i % flowPoints))) / flowPoints;
    points[2 * i + 1] = box.y + (box.height * (0.5 + Math.floor(i / flowPoints))) / flowPoints;
  }
  const given = { window: flowWindow, levels: flowLevels, forwardBackward: true };
  const params = resolveParameters(sparseParameters, given, 'bench');
  const times = async (body: () => Promise<unknown>) => {
    const all: number[] = [];
    for (let i = 0; i < (runtime.gpu!.capabilities.software ? 2 : 40); i++) {
      const start = performance.now();
      await body();
      if (i) all.push(performance.now() - start);
    }
    return round(median(all));
  };
  const stage = (backend: 'gpu' | 'wasm') => () =>
    run(runtime, pointTracks, [planes[0]!, planes[1]!, points, new Float32Array(0)], given, { backend });
  const scope = new Scope(runtime);
  const [from, to] = planes.map((plane) => scope.own(new GpuFlowPyramid(scope, plane, params)));
  const result = {
    points: points.length >> 1,
    'GPU, from memory, ms': await times(stage('gpu')),
    'WASM, one thread, from memory, ms': await times(stage('wasm')),
    'GPU, pyramids there, ms': await times(() =>
      drive(runtime, (inner) =>
        trackPointsGpu(inner, from!, to!, points, undefined, params, emptyResult(points.length >> 1, params)),
      ),
    ),
  };
  for (const thing of [scope, ...planes]) thing.dispose();
  return result;
}

export async function measure({ folder, kernels }: Start, tell: (name: string, value: unknown) => void) {
  const result: Record<string, unknown> = {};
  const part = async (name: string, body: () => Promise<unknown>) => {
    try {
      result[name] = await body();
    } catch (error) {
      result[name] = { error: error instanceof Error ? `${error.message} ${error.stack}` : String(error) };
    }
    tell(name, result[name]);
    await pause();
  };
  const single = await compileKernels(fetch(`${kernels}kernels.wasm`));
  const threads = Math.min(8, navigator.hardwareConcurrency);
  const threaded = globalThis.crossOriginIsolated === true && threads > 1;
  const multi = threaded ? await compileKernels(fetch(`${kernels}kernels.wasm`), true) : null;
  const open = (count: number) =>
    Runtime.create(count === 1 ? { module: single } : { module: multi!, threads: count, spawn, maximum: 512 << 20 });
  // The GPU with one WASM thread and with as many as an engine would take.
  const gpus = new Map<number, Runtime>();
  for (const count of new Set([1, multi ? threads : 1])) {
    const runtime = await open(count);
    runtime.gpu = createGpuSide(runtime);
    runtime.preferred = 'gpu';
    runtime.gpuForced = true;
    gpus.set(count, runtime);
  }
  const onGpu = gpus.get(1)!;
  const { renderer, software } = onGpu.gpu!.capabilities;
  result.machine = { renderer, software, processors: navigator.hardwareConcurrency, isolated: crossOriginIsolated };
  tell('machine', result.machine);
  const oneThread = await Runtime.create({ module: single });
  const scalar = await Runtime.create({ module: await compileKernels(fetch(`${folder}scalar.wasm`)) });
  // Its kernels work in rows of a frame, for which the package's own need no room.
  scalar.pool.reserve(1 << 20);
  const pools = new Map<number, Runtime>();
  if (multi) for (const count of new Set([2, threads])) pools.set(count, await open(count));

  const clips = await readClips(folder);
  for (const [width, height] of software ? SIZES.slice(0, 1) : SIZES)
    for (const whole of clips) {
      const few = software ? 3 : whole.frames.length;
      const clip = enlarged({ ...whole, frames: whole.frames.slice(0, few) }, width, height);
      const name = `${clip.name} ${width}x${height}`;
      const frames = software ? 3 : 40;
      // The tracker as published, which is what the paper and the scalar baseline time.
      const options = { frames, warm: software ? 1 : 10, pause, params: { variant: 'paper' } };
      for (const [count, runtime] of gpus) {
        const title = `${name}, GPU and ${count === 1 ? '1 thread' : `${count} threads`}`;
        await part(title, async () => rounded(await runClip(runtime, clip, options)));
        await part(`${title}, two frames under way`, async () => {
          const run = await streamClip(runtime, clip, { ...options, frames: software ? 3 : 80 });
          return { ...run, ms: round(run.ms), digest: run.frames === frames ? run.digest : '' };
        });
      }
      await part(`${name}, WASM, 1 thread`, async () => rounded(await runClip(oneThread, clip, options)));
      for (const [count, runtime] of pools)
        await part(`${name}, WASM, ${count} threads`, async () => rounded(await runClip(runtime, clip, options)));
      const own = { ...options, params: {} };
      for (const [count, runtime] of [...gpus, ...pools]) {
        const title = `${name}, default tracker, ${runtime.gpu ? 'GPU and ' : 'WASM, '}${count} thread${count > 1 ? 's' : ''}`;
        if (count !== 1 || !multi)
          await part(title, async () => ({ ...rounded(await runClip(runtime, clip, own)), digest: '' }));
      }
      await part(`${name}, scalar`, async () => rounded(await runClip(scalar, clip, options)));
      await part(`${name}, parts on the GPU`, () => gpuParts(onGpu, clip));
      await part(`${name}, Lucas-Kanade`, () => flowParts(onGpu, clip));
    }
  return result;
}

declare global {
  interface Window {
    __result?: unknown;
  }
}

const isWorker = typeof document === 'undefined';
if (isWorker)
  self.onmessage = ({ data }: MessageEvent<Start | ThreadStart>) => {
    if (data.role === 'thread') {
      const kernels = new Kernels(data.module, data.memory);
      postMessage('ready');
      threadLoop(data, kernels);
    } else
      void measure(data, (name, value) => postMessage({ name, value })).then(
        (result) => postMessage({ result }),
        (error) => postMessage({ result: { error: String(error) } }),
      );
  };

/** Starts the worker of this script; resolves with all figures. */
export function start(script: string, folder: string, kernels = folder): Promise<unknown> {
  const worker = new Worker(script);
  return new Promise((resolve) => {
    const all: Record<string, unknown> = {};
    worker.onerror = (event) => resolve({ ...all, error: event.message });
    worker.onmessage = ({ data }) => {
      if (data.result) {
        console.log(JSON.stringify(data.result));
        resolve(data.result);
      } else {
        all[data.name] = data.value;
        console.log(JSON.stringify({ [data.name]: data.value }));
      }
    };
    worker.postMessage({ role: 'measure', folder, kernels } satisfies Start);
  });
}

const own = isWorker ? null : document.querySelector<HTMLScriptElement>('script[data-measure]');
if (own) void start(own.src, new URL('./', location.href).href).then((result) => (window.__result = result));
