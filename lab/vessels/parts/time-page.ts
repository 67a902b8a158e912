/**
 * Times of the Hessian and of whole extractions, in a page: the WASM side of this thread, and the GPU side where
 * `data-measure` asks for it. Input: a drawn fundus, so that the page needs no photographs.
 */
import { floatTaps } from '../../../src/vessels/hessian/parameters.ts';
import { packedEigenvalues, packedEigenvaluesOf } from '../../../src/vessels/hessian/eigenvalues.gpu.ts';
import { eigenvalueRows } from '../../../src/vessels/hessian/eigenvalues.ts';
import { eigenvalueMaps, featureOfMaps } from '../../../src/vessels/hessian/maps.ts';
import { above } from '../../../src/image/above.ts';
import { lineTermsGpu } from '../../../src/vessels/lines/lines.gpu.ts';
import { lineResponse, scaleList } from '../../../src/vessels/lines/response.ts';
import { fields, findVessels, scalesOf } from '../../../src/vessels/segment/find-vessels.ts';
import { workingPlane } from '../../../src/vessels/segment/working-plane.ts';
import { createGpuSide, type Texture } from '../../../src/runtime/gpu/gpu-backend.ts';
import { readNetwork } from '../../../src/models/network.ts';
import { compileKernels } from '../../../src/runtime/wasm/kernels.ts';
import { Runtime } from '../../../src/runtime/runtime.ts';
import { Scope } from '../../../src/runtime/scope.ts';
import { drive, driveNow, run } from '../../../src/runtime/stage.ts';
import { median } from '../../../bench/parts/numbers.ts';
import { darkLines, directions, hessian } from './baseline.ts';
import { solveAlone } from './gpu-solve.ts';

export const SIZES = [
  [700, 605],
  [2240, 1488],
  [3504, 2336],
] as const;
/** The thick scale: 3.4 pixels of a field 540 pixels wide. */
export const thickSigma = (width: number) => Math.round(((3.4 * width * 0.93) / 540) * 10) / 10;

let runtime: Runtime | null = null;

/** RGBA of a disc with dark sinuous lines, seeded noise. */
export function drawn(width: number, height: number): Uint8Array {
  const data = new Uint8Array(4 * width * height);
  let seed = 1;
  for (let y = 0, p = 0; y < height; y++)
    for (let x = 0; x < width; x++, p += 4) {
      seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
      data[p + 3] = 255;
      const r = Math.hypot((x - width / 2) / (0.47 * width), (y - height / 2) / (0.47 * width));
      if (r > 1) continue;
      const line = Math.abs(Math.sin(y / (width / 40) + 2 * Math.sin(x / (width / 9)))) < 0.2 ? 0.7 : 1;
      const shade = (1 - 0.4 * r * r) * (0.97 + (seed >>> 24) / 4000);
      data[p] = 200 * shade * (0.5 + 0.5 * line);
      data[p + 1] = 110 * shade * line;
      data[p + 2] = 50 * shade;
    }
  return data;
}

async function open(address: string): Promise<Runtime> {
  runtime ??= await Runtime.create({ module: await compileKernels(fetch(address)) });
  return runtime;
}

const greenOf = (rgba: Uint8Array) => Uint8Array.from({ length: rgba.length / 4 }, (_, i) => rgba[4 * i + 1]!);

/** Green channel of a photograph of this size, or of the drawn fundus without one. */
async function greenAt(photograph: string | null, width: number, height: number): Promise<Uint8Array> {
  if (!photograph) return greenOf(drawn(width, height));
  const blob = await (await fetch(photograph)).blob();
  const bitmap = await createImageBitmap(blob, { colorSpaceConversion: 'none', premultiplyAlpha: 'none' });
  if (bitmap.width !== width || bitmap.height !== height) throw new Error(`${photograph} is not ${width}x${height}.`);
  const context = new OffscreenCanvas(width, height).getContext('2d')!;
  context.drawImage(bitmap, 0, 0);
  return greenOf(new Uint8Array(context.getImageData(0, 0, width, height).data.buffer));
}

/** Milliseconds of the eigenvalues on one WASM thread, and of the copy of the image into its memory. */
export async function wasmTimes(address: string, width: number, height: number, sigma: number, rounds: number) {
  const own = await open(address);
  const green = greenOf(drawn(width, height));
  const [copy, work]: [number[], number[]] = [[], []];
  for (let i = 0; i <= rounds; i++) {
    const a = performance.now();
    const source = own.plane(width, height, 'u8', green);
    const b = performance.now();
    const planes = driveNow(own, function* (scope) {
      const planes = [scope.plane(width, height, 'f32'), scope.plane(width, height, 'f32')];
      const params = { sigma, derivative: 'gaussian' } as const;
      yield* eigenvalueRows(scope, source, params, 'magnitude')(planes, 0, height);
      return planes;
    });
    const c = performance.now();
    for (const plane of [source, ...planes]) plane.dispose();
    if (i) {
      copy.push(b - a);
      work.push(c - b);
    }
  }
  return { copy: median(copy), eigenvalues: median(work), taps: 2 * floatTaps(sigma).length - 1 };
}

/** Milliseconds of a whole extraction on one WASM thread and of its parts, and bytes a pixel at the arena's peak. */
export async function vesselTimes(
  address: string,
  width: number,
  height: number,
  scales: 'thick' | 'all',
  rounds: number,
) {
  const own = await Runtime.create({ module: await compileKernels(fetch(address)) });
  const rgba = drawn(width, height);
  const params = { variant: 'lines', scales, sigma: 0, thresholdFactor: 1, measures: false, micrometresPerPixel: 0 } as const; // prettier-ignore
  const times: Record<'whole' | 'plane' | 'response', number[]> = { whole: [], plane: [], response: [] };
  let peak = 0;
  for (let i = 0; i <= rounds; i++) {
    const source = own.plane(width, height, 'rgba8', rgba);
    const whole = await elapsed(() => drive(own, (scope) => findVessels(scope, source, params, null)));
    source.dispose();
    if (!i) peak = own.arena.peak / (width * height);
    const again = own.plane(width, height, 'rgba8', rgba);
    const kept = new Scope(own);
    const begun = performance.now();
    const work = await own.driver.run(workingPlane(kept, again, fields[scales]));
    const plane = performance.now() - begun;
    again.dispose();
    const lines = [work.contrast, work.inside, scaleList(scalesOf(work, params))] as const;
    const response = await elapsed(async () => (await run(own, lineResponse, lines))[0].dispose());
    kept.dispose();
    if (!i) continue;
    times.whole.push(whole);
    times.plane.push(plane);
    times.response.push(response);
  }
  own.dispose();
  const [ms, plane, response] = [times.whole, times.plane, times.response].map(median) as [number, number, number];
  return { ms, plane, response, rest: ms - plane - response, peak };
}

/** Milliseconds of a whole extraction with the learned network on one WASM thread. */
export async function networkTime(address: string, width: number, height: number, rounds: number): Promise<number> {
  const own = await Runtime.create({ module: await compileKernels(fetch(address)) });
  const network = readNetwork(new Uint8Array(await (await fetch('/models/vessels.bin')).arrayBuffer()));
  const params = { variant: 'network', scales: 'all', sigma: 0, thresholdFactor: 1, measures: false, micrometresPerPixel: 0 } as const; // prettier-ignore
  const rgba = drawn(width, height);
  const times: number[] = [];
  for (let i = 0; i <= rounds; i++) {
    const source = own.plane(width, height, 'rgba8', rgba);
    const time = await elapsed(() => drive(own, (scope) => findVessels(scope, source, params, network)));
    source.dispose();
    if (i) times.push(time);
  }
  own.dispose();
  return median(times);
}

const elapsed = async (body: () => unknown): Promise<number> => {
  const start = performance.now();
  await body();
  return performance.now() - start;
};

/** Rounds of a measurement: as many as about a second takes, 3 to 30; one on software, which only shows that it runs. */
async function medians(body: () => Promise<Record<string, number | null>>): Promise<Record<string, number | null>> {
  const software = runtime!.gpu!.capabilities.software;
  const first = performance.now();
  const names = Object.keys(await body());
  const once = performance.now() - first;
  const rounds = software ? 1 : Math.max(3, Math.min(30, Math.round(1200 / once)));
  const found: Record<string, number[]> = Object.fromEntries(names.map((name) => [name, []]));
  for (let i = 0; i < rounds; i++)
    for (const [name, value] of Object.entries(await body())) if (value !== null) found[name]!.push(value);
  return Object.fromEntries(names.map((name) => [name, found[name]!.length ? median(found[name]!) : null]));
}

/** Milliseconds on the GPU until a fence: transfers, Hessian and eigenvalues apart and together; the GPU's own clock. */
async function gpuTimes(width: number, height: number, sigma: number) {
  const gpu = runtime!.gpu!;
  const green = greenOf(drawn(width, height));
  const source = runtime!.plane(width, height, 'u8', green);
  /** Draws with a new scope and releases its textures. */
  const enqueue = (body: (scope: Scope) => unknown) => {
    const scope = new Scope(runtime!);
    body(scope);
    scope.dispose();
  };
  const kept = new Scope(runtime!);
  const packed = kept.packed(source, 4) as Texture<'rgba8ui'>;
  const terms = () => enqueue((scope) => lineTermsGpu(scope, packed, { width, sigma, scale: 100 }));
  const eigenvalues = (scope: Scope) => packedEigenvaluesOf(scope, packed, width, sigma, 'magnitude');
  const timed = (body: () => void) =>
    elapsed(() => {
      body();
      return gpu.fence();
    });
  // One at a time, so that the pool keeps their textures.
  const alone = async (body: () => Promise<number | null>) => (await medians(async () => ({ ms: await body() }))).ms!;
  const read = async () => {
    const scope = new Scope(runtime!);
    const both = eigenvalues(scope);
    await gpu.fence();
    const ms = await elapsed(() => Promise.all(both.map((texture) => gpu.read(texture))));
    scope.dispose();
    return ms;
  };
  try {
    return {
      'upload and eigenvalues': await alone(() =>
        timed(() => enqueue((scope) => packedEigenvalues(scope, source, sigma, 'magnitude'))),
      ),
      upload: await alone(() => timed(() => enqueue((scope) => scope.packed(source, 4)))),
      hessian: await alone(() => timed(terms)),
      'hessian, GPU clock': await alone(() => gpu.time(terms)),
      eigenvalues: await alone(() => timed(() => enqueue(eigenvalues))),
      'eigenvalues, GPU clock': await alone(() => gpu.time(() => enqueue(eigenvalues))),
      'read-back': await alone(read),
    };
  } finally {
    kept.dispose();
    source.dispose();
  }
}

/** Milliseconds of whole extractions from RGBA bytes, and of their line response alone, on both sides in turns. */
async function extractionTimes(width: number, height: number, scales: 'thick' | 'all') {
  const rgba = drawn(width, height);
  const own = runtime!;
  const params = { variant: 'lines', scales, sigma: 0, thresholdFactor: 1, measures: false, micrometresPerPixel: 0 } as const; // prettier-ignore
  let working = '';
  const result = await medians(async () => {
    const times: Record<string, number> = {};
    for (const side of ['gpu', 'wasm'] as const) {
      own.preferred = side;
      own.gpuForced = side === 'gpu';
      times[side] = await elapsed(async () => {
        const source = own.plane(width, height, 'rgba8', rgba);
        await drive(own, (scope) => findVessels(scope, source, params, null));
        source.dispose();
      });
    }
    const source = own.plane(width, height, 'rgba8', rgba);
    const kept = new Scope(own);
    const work = await own.driver.run(workingPlane(kept, source, fields[scales]));
    source.dispose();
    const lines = [work.contrast, work.inside, scaleList(scalesOf(work, params))] as const;
    working = `${work.width}x${work.height}`;
    for (const side of ['gpu', 'wasm'] as const) {
      own.preferred = side;
      own.gpuForced = side === 'gpu';
      times[`response, ${side}`] = await elapsed(async () => (await run(own, lineResponse, lines))[0].dispose());
    }
    kept.dispose();
    return times;
  });
  own.preferred = 'wasm';
  return { working, ...result };
}

/** Level of a dark line's strength for thick vessels, gray 0..1. */
const LEVEL = 0.05;

/** Milliseconds of the plain scalar program, whose parts are those of the paper's tables 3 to 5; and its results. */
function scalarRun(green: Uint8Array, width: number, height: number, sigma: number) {
  const begun = performance.now();
  const parts = directions(green, width, height, sigma);
  const middle = performance.now();
  const values = hessian(parts);
  const solved = performance.now();
  const mask = darkLines(values, sigma, LEVEL);
  const end = performance.now();
  return { values, mask, times: { hessian: solved - middle, eigenvalues: solved - begun, thick: end - begun } };
}

/** The same in its fastest of a few rounds, after others on a small picture: a program that was compiled just now is slow. */
function scalarBest(green: Uint8Array, width: number, height: number, sigma: number) {
  const small = greenOf(drawn(320, 240));
  for (let i = 0; i < 4; i++) scalarRun(small, 320, 240, sigma);
  const runs = Array.from({ length: width < 1000 ? 5 : 2 }, () => scalarRun(green, width, height, sigma));
  const least = (key: 'hessian' | 'eigenvalues' | 'thick') => Math.min(...runs.map(({ times }) => times[key]));
  return {
    ...runs[0]!,
    times: { hessian: least('hessian'), eigenvalues: least('eigenvalues'), thick: least('thick') },
  };
}

/** The scalar program beside the stages of the WASM side, one thread, on the same picture: a photograph, or a drawn one. */
export async function paperTimes(
  address: string,
  width: number,
  height: number,
  sigma: number,
  rounds: number,
  photograph: string | null = null,
) {
  const own = await open(address);
  const green = await greenAt(photograph, width, height);
  const scalar = scalarBest(green, width, height, sigma);
  const source = own.plane(width, height, 'u8', green);
  const params = { sigma, derivative: 'gaussian' } as const;
  const times: Record<'eigenvalues' | 'thick', number[]> = { eigenvalues: [], thick: [] };
  let worst = 0;
  let unlike = 0;
  for (let i = 0; i <= rounds; i++) {
    const begun = performance.now();
    const maps = await run(own, eigenvalueMaps, [source], { ...params, order: 'magnitude' });
    const middle = performance.now();
    const [strength] = await run(own, featureOfMaps, maps, { ...params, feature: 'dark-line' });
    const [mask] = await run(own, above, [strength], { mapLevel: LEVEL });
    const end = performance.now();
    if (i) {
      times.eigenvalues.push(middle - begun);
      times.thick.push(end - begun);
    } else {
      const [a, b] = [(await maps[0].read()) as Float32Array, (await maps[1].read()) as Float32Array];
      const { values } = scalar;
      for (let k = 0; k < a.length; k++)
        worst = Math.max(worst, Math.abs(Math.min(a[k]!, b[k]!) - values[0][k]!), Math.abs(Math.max(a[k]!, b[k]!) - values[1][k]!)); // prettier-ignore
      const marks = await mask.read();
      scalar.mask.forEach((v, k) => (unlike += v === marks[k] ? 0 : 1));
    }
    for (const plane of [...maps, strength, mask]) plane.dispose();
  }
  source.dispose();
  const { eigenvalues, thick } = times;
  return { scalar: scalar.times, eigenvalues: median(eigenvalues), thick: median(thick), worst, unlike };
}

/** Everything; what there is lies in window.__result in the end. A case that fails says why and the others go on. */
export async function measure(address = 'kernels.wasm') {
  await open(address);
  const gpu = (runtime!.gpu = createGpuSide(runtime!));
  const software = gpu.capabilities.software;
  const result: Record<string, unknown> = { machine: { renderer: gpu.capabilities.renderer, software } };
  const attempt = async (name: string, body: () => Promise<unknown>) => {
    try {
      result[name] = await body();
    } catch (error) {
      result[name] = { error: String(error) };
    }
    console.log(name, JSON.stringify(result[name]));
  };
  const sizes = software ? SIZES.slice(0, 1) : SIZES;
  for (const [width, height] of sizes)
    for (const sigma of [2, thickSigma(width)])
      await attempt(`${width}x${height}, sigma ${sigma}`, async () => ({
        gpu: await gpuTimes(width, height, sigma),
        wasm: await wasmTimes(address, width, height, sigma, software ? 2 : 10),
      }));
  for (const [width, height] of sizes)
    await attempt(`${width}x${height}, the solution alone`, () => solveAlone(runtime!, width, height));
  for (const [width, height] of sizes)
    await attempt(
      `${width}x${height}, scalar, sigma 2`,
      async () => scalarBest(greenOf(drawn(width, height)), width, height, 2).times,
    );
  for (const [width, height] of sizes)
    for (const scales of ['thick', 'all'] as const)
      await attempt(`${width}x${height}, ${scales}`, () => extractionTimes(width, height, scales));
  Object.assign(globalThis, { __result: result });
  console.log(JSON.stringify(result));
  return result;
}

const script = document.currentScript as HTMLScriptElement | null;
if (script && 'measure' in script.dataset)
  void measure().catch((error) => {
    Object.assign(globalThis, { __result: { error: String(error) } });
    console.log(JSON.stringify({ error: String(error) }));
  });
