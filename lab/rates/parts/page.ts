/**
 * The page of `lab hardware rates`: what bounds the rates on graphics hardware. For each workload its draws, fragments and
 * counted fetches by pass, each pass by the GPU's clock, and the whole until a fence; before them what this device gives
 * at most: fragments, fetches and draws a second, and what a wait for the GPU costs.
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
import { drawn } from '../../vessels/parts/time-page.ts';
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

/** Milliseconds of the fastest of some runs, by the GPU's clock, by this page's where there is none. */
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
  const [width, height, repeats] = small ? [64, 64, 1] : [1024, 1024, 8];
  const texture = (w = width, h = height): Texture<'rgba32f'> => gpu.allocate(w, h, 'rgba32f');
  const [source, first, second] = [texture(), texture(), texture()];
  gpu.clear([source, first, second]);
  const pixels = width * height * repeats;
  const repeat = (draw: () => void) => () => {
    for (let i = 0; i < repeats; i++) draw();
  };
  const input = (times: number) => ({ textures: { source }, uniforms: { times } });
  const one = await leastOf(
    gpu,
    repeat(() => gpu.draw(passes.one, { targets: [first], ...input(1) })),
  );
  const two = await leastOf(
    gpu,
    repeat(() => gpu.draw(passes.two, { targets: [first, second], ...input(1) })),
  );
  const near = async (times: number) =>
    leastOf(
      gpu,
      repeat(() => gpu.draw(passes.near, { targets: [first], ...input(times) })),
    );
  const [few, many] = [await near(8), await near(40)];
  // Two small targets turn about, as ping-pong textures do.
  const [a, b, tiny] = [texture(4, 4), texture(4, 4), texture(4, 4)];
  gpu.clear([tiny]);
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
  const waits: number[] = [];
  for (let i = 0; i < (small ? 3 : 60); i++) {
    const begin = performance.now();
    gpu.draw(passes.one, { targets: [a], textures: { source: tiny }, uniforms: { times: i } });
    await gpu.read(a);
    waits.push(performance.now() - begin);
  }
  for (const one of [source, first, second, a, b, tiny]) gpu.release(one);
  return {
    'fragments, one target': pixels / one / 1e6,
    'fragments, two targets': pixels / two / 1e6,
    'fetches of rgba32f': (32 * pixels) / (many - few) / 1e6,
    'a draw, us, GPU clock': (1000 * calls) / draws,
    'a draw, us, in this thread': (1000 * submitted) / draws,
    'a draw, us, until drawn': (1000 * whole) / draws,
    'a draw and its read-back, ms': median(waits),
  };
}

/** `body` does the work once, and `results` says how many results that is. */
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

function eigenvalues({ runtime, small }: Setup): Workload {
  const [width, height] = small ? [350, 232] : [3504, 2336];
  const green = Uint8Array.from(
    { length: width * height },
    (() => {
      const rgba = drawn(width, height);
      return (_: unknown, i: number) => rgba[4 * i + 1]!;
    })(),
  );
  const source = runtime.plane(width, height, 'u8', green);
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
  /** As a video: the next frame goes up, and the flow from the one before comes back. */
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
  const rgba = drawn(side, side);
  const holes = new Uint8Array(side * side);
  for (let y = at; y < at + hole; y++) holes.fill(255, y * side + at, y * side + at + hole);
  const [source, mask] = [runtime.plane(side, side, 'rgba8', rgba), runtime.plane(side, side, 'u8', holes)];
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
