/**
 * Times of the Hessian and of whole extractions, in a page: the WASM side of this thread, and the GPU side where
 * `data-measure` asks for it. Input: a drawn fundus, so that the page needs no photographs.
 */
import { floatTaps } from '../../../src/vessels/gaussian-taps.ts';
import { eigenvaluesGpu } from '../../../src/vessels/eigenvalues.gpu.ts';
import { eigenvaluesWasm } from '../../../src/vessels/eigenvalues.ts';
import { findVessels } from '../../../src/vessels/vessels.ts';
import { createGpuSide } from '../../../src/runtime/gpu-side.ts';
import { compileKernels } from '../../../src/runtime/kernels.ts';
import { Runtime } from '../../../src/runtime/runtime.ts';

export const SIZES = [
  [700, 605],
  [2240, 1488],
  [3504, 2336],
] as const;
/** The thick scale: 3.4 pixels of a field 540 pixels wide. */
export const thickSigma = (width: number) => Math.round(((3.4 * width * 0.93) / 540) * 10) / 10;

const median = (values: number[]) => values.sort((a, b) => a - b)[values.length >> 1]!;
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

/** Milliseconds of the eigenvalues on one WASM thread, and of the copy of the image into its memory. */
export async function wasmTimes(address: string, width: number, height: number, sigma: number, rounds: number) {
  const { wasm } = await open(address);
  const green = greenOf(drawn(width, height));
  const [copy, work]: [number[], number[]] = [[], []];
  for (let i = 0; i <= rounds; i++) {
    const a = performance.now();
    const source = runtime!.plane(width, height, 'u8', green);
    const b = performance.now();
    const planes = eigenvaluesWasm(wasm, source, { sigma, channel: 'gaussian' }, 'magnitude');
    const c = performance.now();
    for (const plane of [source, ...planes]) plane.dispose();
    if (i) {
      copy.push(b - a);
      work.push(c - b);
    }
  }
  return { copy: median(copy), eigenvalues: median(work), taps: 2 * floatTaps(sigma).length - 1 };
}

/** Milliseconds of a whole extraction on one WASM thread, and bytes a pixel at the arena's peak. */
export async function vesselTimes(
  address: string,
  width: number,
  height: number,
  scales: 'thick' | 'all',
  rounds: number,
) {
  const own = await Runtime.create({ module: await compileKernels(fetch(address)) });
  const rgba = drawn(width, height);
  const context = {
    runtime: own,
    signal: new AbortController().signal,
    progress: () => {},
    slice: () => Promise.resolve(),
  };
  const params = { scales, sigma: 0, threshold: 1, measures: false, micrometresPerPixel: 0 } as const;
  const times: number[] = [];
  for (let i = 0; i <= rounds; i++) {
    const source = own.plane(width, height, 'rgba8', rgba);
    const start = performance.now();
    await findVessels(context, source, params);
    if (i) times.push(performance.now() - start);
    source.dispose();
  }
  const peak = own.arena.peak / (width * height);
  own.dispose();
  return { ms: median(times), peak };
}

/** Milliseconds on the GPU: upload and eigenvalues until they lie in textures, by a fence; read-back; the GPU's own clock. */
async function gpuTimes(width: number, height: number, sigma: number, rounds: number) {
  const gpu = runtime!.gpu!;
  const green = greenOf(drawn(width, height));
  const times: Record<string, number[]> = { 'upload and eigenvalues': [], 'eigenvalues alone': [], 'read-back': [] };
  let clock: number | null = null;
  for (let i = 0; i <= rounds; i++) {
    const source = runtime!.plane(width, height, 'u8', green);
    const start = performance.now();
    const first = eigenvaluesGpu(gpu, source, { sigma, channel: 'gaussian' }, 'magnitude');
    await gpu.fence();
    const end = performance.now();
    source.texture();
    await gpu.fence();
    const again = performance.now();
    const second = eigenvaluesGpu(gpu, source, { sigma, channel: 'gaussian' }, 'magnitude');
    await gpu.fence();
    const resident = performance.now();
    await Promise.all(second.map((plane) => plane.read()));
    const read = performance.now();
    clock = await gpu.time(() => {
      for (const plane of eigenvaluesGpu(gpu, source, { sigma, channel: 'gaussian' }, 'magnitude')) plane.dispose();
    });
    for (const plane of [source, ...first, ...second]) plane.dispose();
    if (!i) continue;
    times['upload and eigenvalues']!.push(end - start);
    times['eigenvalues alone']!.push(resident - again);
    times['read-back']!.push(read - resident);
  }
  return { ...Object.fromEntries(Object.entries(times).map(([k, v]) => [k, median(v)])), 'GPU clock': clock };
}

/** Everything; what there is lies in window.__result in the end. */
export async function measure(address = 'kernels.st.wasm') {
  await open(address);
  const gpu = (runtime!.gpu = createGpuSide(runtime!));
  const small = gpu.capabilities.software;
  const result: Record<string, unknown> = { machine: { renderer: gpu.capabilities.renderer, software: small } };
  for (const [width, height] of small ? SIZES.slice(0, 1) : SIZES)
    for (const sigma of [2, thickSigma(width)]) {
      const name = `${width}x${height}, sigma ${sigma}`;
      result[name] = {
        gpu: await gpuTimes(width, height, sigma, small ? 1 : 20),
        wasm: await wasmTimes(address, width, height, sigma, small ? 2 : 10),
      };
      console.log(name, JSON.stringify(result[name]));
    }
  Object.assign(globalThis, { __result: result });
  console.log(JSON.stringify(result));
  return result;
}

const script = document.currentScript as HTMLScriptElement | null;
if (script && 'measure' in script.dataset) void measure();
