/**
 * The page of `bench hardware flow`: dense flow at 400x400 on the GPU, endpoint error beside the rates, against WASM and
 * the scalar baseline in the same page. The result lies in window.__result in the end, and in the console on the way.
 */
import { denseFlowGpu } from '../../../src/flow/dense.gpu.ts';
import { gpuPyramid } from '../../../src/flow/pyramid.gpu.ts';
import { denseFlow } from '../../../src/flow/dense.ts';
import { fieldParameters, type FieldValues } from '../../../src/flow/parameters.ts';
import { FlowPyramid } from '../../../src/flow/pyramid.ts';
import { createGpuSide, type GpuBackend } from '../../../src/runtime/gpu/gpu-backend.ts';
import { compileKernels } from '../../../src/runtime/wasm/kernels.ts';
import { resolveParameters } from '../../../src/runtime/parameters.ts';
import type { Plane } from '../../../src/runtime/plane.ts';
import { Runtime } from '../../../src/runtime/runtime.ts';
import { Scope } from '../../../src/runtime/scope.ts';
import { driveNow } from '../../../src/runtime/stage.ts';
import { baseline } from './baseline.ts';
import { median, pause, round } from '../../../bench/parts/numbers.ts';

const SOURCE = { width: 640, height: 480 };
const SIDE = 400;
const silent = () => {};

interface Frames {
  width: number;
  height: number;
  previous: Uint8Array<ArrayBuffer>;
  next: Uint8Array<ArrayBuffer>;
  /** u, v interleaved. */
  truth: Float32Array;
}

async function read(folder: string): Promise<Frames> {
  const file = async (name: string) => (await fetch(folder + name)).arrayBuffer();
  const [previous, next, truth] = await Promise.all([file('previous'), file('next'), file('truth')]);
  return {
    ...SOURCE,
    previous: new Uint8Array(previous),
    next: new Uint8Array(next),
    truth: new Float32Array(truth),
  };
}

/** The middle of the frames. */
function crop({ width, height, previous, next, truth }: Frames, side: number): Frames {
  const [left, top] = [(width - side) >> 1, (height - side) >> 1];
  const cut = <T extends Uint8Array | Float32Array>(from: T, to: T, channels: number): T => {
    for (let y = 0; y < side; y++) {
      const start = channels * ((top + y) * width + left);
      to.set(from.subarray(start, start + channels * side), channels * y * side);
    }
    return to;
  };
  return {
    width: side,
    height: side,
    previous: cut(previous, new Uint8Array(side * side), 1),
    next: cut(next, new Uint8Array(side * side), 1),
    truth: cut(truth, new Float32Array(2 * side * side), 2),
  };
}

function endpointError(truth: Float32Array, at: (i: number) => readonly [number, number]): number {
  let sum = 0;
  let known = 0;
  for (let i = 0; i < truth.length / 2; i++) {
    const [a, b] = [truth[2 * i]!, truth[2 * i + 1]!];
    if (Math.abs(a) > 1e9 || Math.abs(b) > 1e9) continue;
    const [u, v] = at(i);
    sum += Math.hypot(u - a, v - b);
    known++;
  }
  return sum / known;
}

/** Frames go up, the flow comes back: as engine.opticalFlow, from frames in memory. */
class Run {
  readonly #runtime: Runtime;
  readonly #side: GpuBackend;
  readonly #frames: Frames;
  readonly #params: FieldValues;

  constructor(runtime: Runtime, frames: Frames, params: FieldValues) {
    this.#runtime = runtime;
    this.#side = runtime.gpu!;
    this.#frames = frames;
    this.#params = params;
  }

  pyramid(data: Uint8Array): { planes: Plane[]; dispose(): void } {
    const { width, height } = this.#frames;
    const scope = new Scope(this.#runtime);
    const frame = scope.own(this.#runtime.plane(width, height, 'u8', data));
    return { planes: gpuPyramid(scope, frame, this.#params), dispose: () => scope.dispose() };
  }

  /** Enqueues the passes; what is read of them comes later. */
  flow(from: { planes: Plane[] }, to: { planes: Plane[] }, reads = false): Promise<Uint8Array | void> {
    const scope = new Scope(this.#runtime);
    const [side, params] = [this.#side, this.#params];
    return this.#runtime.driver
      .run(
        (function* () {
          const texture = yield* denseFlowGpu(scope, from.planes, to.planes, params, {}, silent);
          return reads ? { bytes: side.read(texture) } : {};
        })(),
      )
      .then(({ bytes }) => bytes)
      .finally(() => scope.dispose());
  }

  async result(from: { planes: Plane[] }, to: { planes: Plane[] }): Promise<Float32Array> {
    const texels = (await this.flow(from, to, true)) as Uint8Array;
    return new Float32Array(texels.buffer, texels.byteOffset, texels.byteLength / 4);
  }

  /** Both frames new. */
  async pair(): Promise<Float32Array> {
    const from = this.pyramid(this.#frames.previous);
    const to = this.pyramid(this.#frames.next);
    const result = this.result(from, to);
    return result.finally(() => (from.dispose(), to.dispose()));
  }
}

async function gpuRates(runtime: Runtime, frames: Frames, iterations: number, seconds: number) {
  const side = runtime.gpu!;
  const params = { ...resolveParameters(fieldParameters, { iterations }, 'bench') };
  const run = new Run(runtime, frames, params);
  const texels = await run.pair();
  const error = endpointError(frames.truth, (i) => [texels[4 * i]!, texels[4 * i + 1]!]);

  const latencies: number[] = [];
  for (const end = performance.now() + 1000 * seconds; !latencies.length || performance.now() < end;) {
    const start = performance.now();
    await run.pair();
    latencies.push(performance.now() - start);
  }
  await pause();

  // A video: each frame goes up once and is next, then previous; three results on their way.
  let count = 0;
  let previous = run.pyramid(frames.previous);
  const flying: Promise<unknown>[] = [];
  const begin = performance.now();
  while (count < 3 || performance.now() < begin + 1000 * seconds) {
    const next = run.pyramid(count % 2 ? frames.previous : frames.next);
    const last = previous;
    flying.push(run.result(last, next).finally(() => last.dispose()));
    previous = next;
    count++;
    if (flying.length >= 3) await flying.shift();
  }
  await Promise.all(flying);
  const video = (1000 * count) / (performance.now() - begin);
  previous.dispose();
  await pause();

  // Drawing alone: textures stay, nothing is read.
  const from = run.pyramid(frames.previous);
  const to = run.pyramid(frames.next);
  await run.flow(from, to);
  await side.fence();
  const repeats = seconds < 0.5 ? 1 : 20;
  const start = performance.now();
  for (let i = 0; i < repeats; i++) await run.flow(from, to);
  await side.fence();
  const drawing = (performance.now() - start) / repeats;
  from.dispose();
  to.dispose();
  return {
    iterations,
    'endpoint error, px': round(error),
    'one by one, frames a second': round(1000 / median(latencies)),
    'one by one, ms': round(median(latencies)),
    'video, three in flight, frames a second': round(video),
    'drawing alone, ms': round(drawing),
  };
}

async function wasmRate(runtime: Runtime, frames: Frames, iterations: number) {
  const { width, height } = frames;
  const params = { ...resolveParameters(fieldParameters, { iterations }, 'bench') };
  const planes = [frames.previous, frames.next].map((data) => runtime.plane(width, height, 'u8', data));
  const times: number[] = [];
  let error = NaN;
  for (let i = 0; i < 10; i++) {
    const start = performance.now();
    const [u, v] = driveNow(runtime, function* (scope) {
      const from = scope.own(yield* FlowPyramid.build(scope, planes[0]!, params));
      const to = scope.own(yield* FlowPyramid.build(scope, planes[1]!, params));
      const flow = yield* denseFlow(scope, from, to, params, {}, silent);
      return [flow.u.copy(), flow.v.copy()] as const;
    });
    times.push(performance.now() - start);
    error = endpointError(frames.truth, (k) => [u[k]!, v[k]!]);
    await pause();
  }
  for (const plane of planes) plane.dispose();
  return {
    iterations,
    'endpoint error, px': round(error),
    'frames a second': round(1000 / median(times)),
    ms: round(median(times)),
  };
}

const result: Record<string, unknown> = {};

/** `folder`: where kernels.wasm, previous, next and truth are. */
export async function measure(kernels = './kernels.wasm', folder = './'): Promise<Record<string, unknown>> {
  const part = async (name: string, body: () => Promise<unknown> | unknown) => {
    try {
      result[name] = await body();
    } catch (error) {
      result[name] = { error: String(error) };
    }
    console.log(JSON.stringify({ [name]: result[name] }));
    await pause();
  };
  const runtime = await Runtime.create({ module: await compileKernels(fetch(kernels)) });
  runtime.gpu = createGpuSide(runtime);
  const { renderer, software } = runtime.gpu.capabilities;
  result.machine = { renderer, software };
  const seconds = software ? 0.1 : 2;
  const whole = await read(folder);
  const frames = crop(whole, software ? 100 : SIDE);
  result.frame = `${frames.width}x${frames.height}, the middle of Grove2`;
  for (const iterations of [5, 10])
    await part(`GPU, ${iterations} iterations`, () => gpuRates(runtime, frames, iterations, seconds));
  for (const iterations of software ? [] : [5, 10])
    await part(`GPU, 640x480, ${iterations} iterations`, () => gpuRates(runtime, whole, iterations, seconds));
  for (const iterations of [5, 10])
    await part(`WASM, ${iterations} iterations`, () => wasmRate(runtime, frames, iterations));
  await part('scalar', () => {
    const start = performance.now();
    const { u, v } = baseline(frames.width, frames.height, frames.previous, frames.next);
    const ms = performance.now() - start;
    const error = endpointError(frames.truth, (i) => [u[i]!, v[i]!]);
    return {
      iterations: 5,
      'endpoint error, px': round(error),
      'frames a second': round(1000 / ms),
      ms: round(ms),
    };
  });
  console.log(JSON.stringify(result));
  return result;
}

declare global {
  interface Window {
    __result?: unknown;
  }
}

// Opened by itself: measures at once.
if (document.querySelector('script[data-measure]'))
  void measure().then(
    (all) => (window.__result = all),
    (error) => (window.__result = { ...result, error: String(error) }),
  );
