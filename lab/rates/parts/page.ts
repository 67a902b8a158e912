/**
 * The page of `lab hardware rates`: the limits of the rates on graphics hardware. First it measures the maximum of this
 * device: fragments, fetches and draws per second, and the cost of a wait for the GPU. Then it counts draws, fragments
 * and fetches of each workload by pass, and measures each pass by the GPU's clock.
 */
import { packedEigenvaluesOf } from '../../../src/vessels/hessian/eigenvalues.gpu.ts';
import { denseFlowGpu } from '../../../src/flow/dense.gpu.ts';
import { fieldParameters } from '../../../src/flow/parameters.ts';
import { gpuPyramid } from '../../../src/flow/pyramid.gpu.ts';
import { fill } from '../../../src/inpaint/fill.ts';
import { PupilTrackerCore } from '../../../src/pupil/tracker/tracker.ts';
import type { GpuBackend, Texture } from '../../../src/runtime/gpu/gpu-backend.ts';
import { definePass } from '../../../src/runtime/gpu/pass.ts';
import { resolveParameters } from '../../../src/runtime/parameters.ts';
import type { Runtime } from '../../../src/runtime/runtime.ts';
import { Scope } from '../../../src/runtime/scope.ts';
import { run } from '../../../src/runtime/stage.ts';
import { median, pause, round } from '../../../bench/parts/numbers.ts';
import { FIRST, open, PAPER, rate, twice, type Setup } from '../../pupil/parts/gpu-setup.ts';
import { countedRows, timeRows } from './tally.ts';

const probe = (name: string, outputs: 1 | 2, loop: string) =>
  definePass({
    name: `rates/${name}`,
    fragment: `uniform sampler2D source;
uniform int times;
layout(location = 0) out vec4 first;
${outputs === 2 ? 'layout(location = 1) out vec4 second;' : ''}
void main() {
  ivec2 p = ivec2(gl_FragCoord.xy);
  first = vec4(float(times));
  ${loop}
  ${outputs === 2 ? 'second = first;' : ''}
}`,
    textures: ['source'],
    uniforms: { times: 'int' },
    outputs: outputs === 2 ? ['first', 'second'] : ['first'],
  });
const NEAR = 'for (int i = 0; i < times; i++) first += texelFetch(source, ivec2(p.x, min(p.y + i, 1023)), 0);';
const once = 'first += texelFetch(source, p, 0);';
const passes = {
  one: probe('one target', 1, once),
  two: probe('two targets', 2, once),
  near: probe('near texels', 1, NEAR),
};

/** Milliseconds of the fastest run, by the GPU's clock or the page's. */
async function leastOf(gpu: GpuBackend, body: () => void): Promise<number> {
  let least = Infinity;
  for (let i = 0; i < 7; i++) {
    const start = performance.now();
    const clock = await gpu.time(body);
    least = Math.min(least, clock ?? performance.now() - start);
  }
  return least;
}

/** What this device gives at most. Fragments and fetches in thousand millions a second. */
async function device({ runtime, small }: Setup) {
  const gpu = runtime.gpu!;
  const texture = (side: number): Texture<'rgba32f'> => gpu.allocate(side, side, 'rgba32f');
  /** Thousand millions of `per` a fragment, by the time of some draws. */
  const filling = async (pass: (typeof passes)['one'], side: number, times: number) => {
    const [source, first, second] = [texture(side), texture(side), texture(side)];
    gpu.clear([source, first, second]);
    const repeats = small ? 1 : Math.max(2, (1 << 23) / side ** 2);
    const targets = pass === passes.two ? [first, second] : [first];
    const ms = await leastOf(gpu, () => {
      for (let i = 0; i < repeats; i++) gpu.draw(pass, { targets, textures: { source }, uniforms: { times } });
    });
    for (const one of [source, first, second]) gpu.release(one);
    return { ms, fragments: side ** 2 * repeats };
  };
  const found: Record<string, number> = {};
  for (const side of small ? [64] : [256, 512, 1024, 2048])
    for (const [words, pass] of [
      ['one target', passes.one],
      ['two targets', passes.two],
    ] as const) {
      const { ms, fragments } = await filling(pass, side, 1);
      found[`fragments, ${words} of ${side}x${side}`] = fragments / ms / 1e6;
    }
  const [few, many] = [
    await filling(passes.near, small ? 64 : 1024, 8),
    await filling(passes.near, small ? 64 : 1024, 40),
  ];
  found['fetches of rgba32f'] = (32 * few.fragments) / (many.ms - few.ms) / 1e6;
  return { ...found, ...(await waits(gpu, small)) };
}

/** What draws as such cost, and a wait for the GPU. */
async function waits(gpu: GpuBackend, small: boolean) {
  const texture = (): Texture<'rgba32f'> => gpu.allocate(4, 4, 'rgba32f');
  // Two small targets turn about, as ping-pong textures do.
  const [a, b] = [texture(), texture()];
  gpu.clear([a, b]);
  const draws = small ? 20 : 2000;
  const drawAll = () => {
    for (let i = 0; i < draws; i++)
      gpu.draw(passes.one, { targets: [i & 1 ? a : b], textures: { source: i & 1 ? b : a }, uniforms: { times: i } });
  };
  const calls = await leastOf(gpu, drawAll);
  const start = performance.now();
  drawAll();
  const submitted = performance.now() - start;
  await gpu.fence();
  const whole = performance.now() - start;
  const times: number[] = [];
  for (let i = 0; i < (small ? 3 : 60); i++) {
    const begin = performance.now();
    gpu.draw(passes.one, { targets: [a], textures: { source: b }, uniforms: { times: i } });
    await gpu.read(a);
    times.push(performance.now() - begin);
  }
  for (const one of [a, b]) gpu.release(one);
  return {
    'a draw, us, GPU clock': (1000 * calls) / draws,
    'a draw, us, in this thread': (1000 * submitted) / draws,
    'a draw, us, until drawn': (1000 * whole) / draws,
    'a draw and its read-back, ms': median(times),
  };
}

/** `body` does the work once, for this number of results. */
interface Workload {
  /** Results a second that are wanted, and what one is. */
  wanted: number;
  unit: string;
  results: number;
  body: () => Promise<unknown>;
  /** The same through the way that is measured otherwise: results a second. */
  rate?: () => Promise<number>;
  end(): unknown;
}

/** Samples of a picture with texture. Only the order of filling depends on them. */
function textured(width: number, height: number, channels: 1 | 4): Uint8Array<ArrayBuffer> {
  const data = new Uint8Array(channels * width * height);
  let seed = 1;
  for (let y = 0, p = 0; y < height; y++)
    for (let x = 0; x < width; x++)
      for (let c = 0; c < channels; c++, p++) {
        seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
        data[p] = c === 3 ? 255 : 110 + 60 * Math.sin(x / 9 + 2 * Math.sin(y / 23)) + (seed >>> 27);
      }
  return data;
}

function eigenvalues({ runtime, small }: Setup): Workload {
  const [width, height] = small ? [350, 232] : [3504, 2336];
  const source = runtime.plane(width, height, 'u8', textured(width, height, 1));
  const kept = new Scope(runtime);
  const packed = kept.packed(source, 4) as Texture<'rgba8ui'>;
  const body = async () => {
    const scope = new Scope(runtime);
    packedEigenvaluesOf(scope, packed, width, 2, 'magnitude');
    scope.dispose();
  };
  return {
    wanted: 1000 / 12,
    unit: `eigenvalues of ${width}x${height}, sigma 2`,
    results: 1,
    body,
    end: () => (kept.dispose(), source.dispose()),
  };
}

function denseFlow({ runtime, small }: Setup, frames: Uint8Array[]): Workload {
  const [width, height] = [640, 480];
  const [w, h] = small ? [160, 120] : [width, height];
  const params = resolveParameters(fieldParameters, {}, 'lab') as ReturnType<
    typeof resolveParameters<typeof fieldParameters>
  >;
  const planes = frames.map((frame) => {
    const cut = new Uint8Array(w * h);
    for (let y = 0; y < h; y++) cut.set(frame.subarray(y * width, y * width + w), y * w);
    return cut;
  });
  const gpu = runtime.gpu!;
  const pyramid = (data: Uint8Array) => {
    const scope = new Scope(runtime);
    return { scope, planes: gpuPyramid(scope, scope.own(runtime.plane(w, h, 'u8', data)), params) };
  };
  /** As a video: the next frame is uploaded, and its flow is read. */
  let last = pyramid(planes[0]!);
  let count = 0;
  const body = async () => {
    const next = pyramid(planes[++count & 1]!);
    const scope = new Scope(runtime);
    const from = last;
    last = next;
    const read = await runtime.driver.run(
      (function* () {
        const texture = yield* denseFlowGpu(scope, from.planes, next.planes, params, {}, () => {});
        return { bytes: gpu.read(texture) };
      })(),
    );
    from.scope.dispose();
    scope.dispose();
    await read.bytes;
  };
  const rateOf = async () => {
    const flying: Promise<unknown>[] = [];
    const start = performance.now();
    let done = 0;
    for (; done < 3 || performance.now() - start < (small ? 100 : 2000); done++) {
      flying.push(body());
      if (flying.length >= 3) await flying.shift();
    }
    await Promise.all(flying);
    return (1000 * done) / (performance.now() - start);
  };
  return {
    wanted: 300,
    unit: `dense flow of a video of ${w}x${h}`,
    results: 1,
    body,
    rate: rateOf,
    end: () => last.scope.dispose(),
  };
}

function inpainting({ runtime, small }: Setup): Workload {
  const [side, hole] = small ? [80, 12] : [400, 90];
  const at = (side - hole) >> 1;
  const holes = new Uint8Array(side * side);
  for (let y = at; y < at + hole; y++) holes.fill(255, y * side + at, y * side + at + hole);
  const [source, mask] = [
    runtime.plane(side, side, 'rgba8', textured(side, side, 4)),
    runtime.plane(side, side, 'u8', holes),
  ];
  const options = { patch: 9, searchWindow: 0, variant: 'paper' } as const;
  const body = async () => {
    const [out] = await run(runtime, fill, [source, mask], options, { backend: 'gpu' });
    await out.read();
    out.dispose();
  };
  return {
    wanted: 15,
    unit: `fillings of a hole of ${hole}x${hole} in ${side}x${side}`,
    results: 1,
    body,
    end: () => (source.dispose(), mask.dispose()),
  };
}

function pupils(setup: Setup, eyes: 1 | 2): Workload {
  const own = eyes === 2 ? twice(setup) : setup;
  const params = { ...PAPER, ...FIRST, eyes, depth: 6 };
  const core = new PupilTrackerCore(setup.runtime, { ...params, depth: 1 });
  let i = 0;
  const results = setup.small ? 2 : 8;
  const body = async () => {
    for (let k = 0; k < results; k++, i++) await core.process(own.planes[i % own.planes.length]!, i * 4);
  };
  const { width, height } = own.planes[0]!;
  return {
    wanted: eyes === 1 ? 2000 : 1400,
    unit: `${eyes === 1 ? 'frames of one eye' : 'frames of two eyes'}, ${width}x${height}`,
    results,
    body,
    rate: async () => (await rate(own, params, {}, 1)).fps,
    end: async () => {
      await core.dispose();
      if (eyes === 2) for (const plane of own.planes) plane.dispose();
    },
  };
}

/** Milliseconds of one result: until a fence, by the GPU's clock as a whole, and of this thread's own part. */
async function profile(runtime: Runtime, { wanted, unit, results, body, rate, end }: Workload, small: boolean) {
  const gpu = runtime.gpu!;
  await body();
  const counted = await countedRows(gpu, body);
  const timed = await timeRows(gpu, counted, body);
  const made: number[] = [];
  const walls: number[] = [];
  for (let i = 0; i < (small ? 1 : 9); i++) {
    const start = performance.now();
    const { count } = gpu.textures;
    await body();
    await gpu.fence();
    walls.push((performance.now() - start) / results);
    made.push(gpu.textures.count - count);
  }
  const found = await rate?.();
  await end();
  const rows = [...counted].map(([pass, { draws, fragments, fetches, ms }]) => ({
    pass,
    draws: round(draws / results),
    fragments: Math.round(fragments / results),
    fetches: Math.round(fetches / results),
    ms: timed ? ms / results : null,
  }));
  const wall = median(walls);
  return {
    unit,
    wanted,
    'results a second': round(found ?? 1000 / wall),
    'one at a time, ms': wall,
    'textures made': median(made),
    rows,
  };
}

const result: Record<string, unknown> = {};

export async function measure(kernels = './kernels.wasm', folder = './'): Promise<Record<string, unknown>> {
  const part = async (name: string, body: () => unknown) => {
    try {
      result[name] = await body();
    } catch (error) {
      result[name] = { error: error instanceof Error ? `${error.message}\n${error.stack ?? ''}` : String(error) };
    }
    console.log(JSON.stringify({ [name]: result[name] }).slice(0, 600));
    await pause();
  };
  const setup = await open(kernels);
  const { renderer, software, timer } = setup.runtime.gpu!.capabilities;
  result.machine = { renderer, software, timer };
  const read = async (name: string) => new Uint8Array(await (await fetch(folder + name)).arrayBuffer());
  const frames = [await read('previous'), await read('next')];
  const work: [string, () => Workload][] = [
    ['eigenvalues', () => eigenvalues(setup)],
    ['dense flow', () => denseFlow(setup, frames)],
    ['inpainting', () => inpainting(setup)],
    ['one eye', () => pupils(setup, 1)],
    ['two eyes', () => pupils(setup, 2)],
  ];
  await part('device', () => device(setup));
  for (const [name, make] of work) await part(name, () => profile(setup.runtime, make(), setup.small));
  console.log(JSON.stringify(result));
  return result;
}

declare global {
  interface Window {
    __result?: unknown;
  }
}
if (document.querySelector('script[data-measure]'))
  measure().then(
    (all) => (window.__result = all),
    (error: unknown) => (window.__result = { error: String(error) }),
  );
