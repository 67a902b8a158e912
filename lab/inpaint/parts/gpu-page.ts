/**
 * The page of `bench hardware inpaint`: whole fillings on the GPU and in WASM, and the scalar baseline, on one photograph.
 * The result is in window.__result in the end, and in the console on the way.
 */
import { fill } from '../../../src/inpaint/fill.ts';
import type { FillValues } from '../../../src/inpaint/parameters.ts';
import { begin, search, searchTextures } from '../../../src/inpaint/passes.gpu.ts';
import { createGpuSide } from '../../../src/runtime/gpu/gpu-backend.ts';
import { compileKernels } from '../../../src/runtime/wasm/kernels.ts';
import { Runtime } from '../../../src/runtime/runtime.ts';
import { Scope } from '../../../src/runtime/scope.ts';
import { run, type Backend } from '../../../src/runtime/stage.ts';
import { inpaint } from './baseline.ts';
import { median, round } from '../../../bench/parts/numbers.ts';

async function picture(address: string, side: number): Promise<ImageData> {
  const bitmap = await createImageBitmap(await (await fetch(address)).blob());
  const canvas = new OffscreenCanvas(side, side);
  const context = canvas.getContext('2d')!;
  context.imageSmoothingQuality = 'high';
  context.drawImage(bitmap, 0, 0, side, side);
  return context.getImageData(0, 0, side, side);
}

interface Filling {
  data: Uint8Array;
  patches: number;
  milliseconds: number;
}

/** From pixels in memory to pixels in memory. */
async function filled(
  runtime: Runtime,
  backend: Backend,
  { data, width }: ImageData,
  hole: Uint8Array,
  options: FillValues,
) {
  const start = performance.now();
  let patches = 0;
  const source = runtime.plane(width, width, 'rgba8', data);
  const mask = runtime.plane(width, width, 'u8', hole);
  try {
    const [out] = await run(runtime, fill, [source, mask], options, { backend, progress: () => patches++ });
    const filled: Filling = { data: (await out.read()) as Uint8Array, patches, milliseconds: 0 };
    out.dispose();
    return { ...filled, milliseconds: performance.now() - start };
  } finally {
    source.dispose();
    mask.dispose();
  }
}

/** The nearest of candidates (distance, index), the lower index among equals. */
function nearestOf(bytes: Uint8Array): { distance: number; index: number } {
  const words = new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength >> 2);
  let [distance, index] = [words[0]!, words[1]!];
  for (let i = 2; i < words.length; i += 2)
    if (words[i]! < distance || (words[i] === distance && words[i + 1]! < index))
      [distance, index] = [words[i]!, words[i + 1]!];
  return { distance, index };
}

/**
 * Section III.D of paper 001: the best patch by a reduction on the device, which reads one block, or on the host, which
 * reads every distance. Milliseconds a patch, medians.
 */
async function reductions(runtime: Runtime, { data, width }: ImageData, hole: Uint8Array, patches: number) {
  const scope = new Scope(runtime);
  const [source, mask] = [runtime.plane(width, width, 'rgba8', data), runtime.plane(width, width, 'u8', hole)];
  const { image } = begin(scope, source, mask);
  const center = scope.texture(1, 1, 'rgba32ui');
  const textures = searchTextures(scope, width, width);
  const whole = { ...textures, candidateLevels: textures.candidateLevels.slice(0, 1) }; // no level is drawn
  const out: Record<string, number> = {};
  const found: number[][] = [];
  for (const [name, target] of [
    ['device', textures],
    ['host', whole],
  ] as const) {
    const times: number[] = [];
    found.push([]);
    for (let i = 0; i < patches; i++) {
      const start = performance.now();
      scope.gpu.clear([center], [1, 0, hole.indexOf(255) + i, 0]);
      const candidates = search(
        scope,
        target,
        { source: image, image, center },
        { patch: 9, searchWindow: 0, near: false },
      );
      found.at(-1)!.push(nearestOf(await scope.gpu.read(candidates)).index);
      if (i > 2) times.push(performance.now() - start);
    }
    out[`on the ${name}, ms a patch`] = round(median(times));
  }
  scope.dispose();
  source.dispose();
  mask.dispose();
  return { ...out, patches, differ: found[0]!.filter((index, i) => index !== found[1]![i]).length };
}

export async function measure(kernels: string, photograph: string): Promise<Record<string, unknown>> {
  const runtime = await Runtime.create({ module: await compileKernels(fetch(kernels)) });
  const gpu = (runtime.gpu = createGpuSide(runtime));
  const { renderer, software } = gpu.capabilities;
  // Software draws some hundred times slower: a small picture then, which shows no more than that everything runs.
  const [width, hole, rounds] = software ? [120, 24, 1] : [400, 90, 7];
  const image = await picture(photograph, width);
  const at = (width - hole) >> 1;
  const mask = new Uint8Array(width * width);
  for (let y = at; y < at + hole; y++) mask.fill(255, y * width + at, y * width + at + hole);
  const result: Record<string, unknown> = {
    machine: { renderer, software },
    frame: `a hole of ${hole} x ${hole} in ${width} x ${width}, patch 9, whole-image search`,
  };
  let paper = NaN;
  for (const variant of ['paper', 'seamless'] as const) {
    const options: FillValues = { patch: 9, searchWindow: 0, variant };
    const pictures: Uint8Array[] = [];
    for (const [name, side] of [
      ['GPU', 'gpu'],
      ['WASM', 'wasm'],
    ] as const) {
      const times: number[] = [];
      let last!: Filling;
      for (let i = 0; i <= rounds; i++) {
        last = await filled(runtime, side, image, mask, options);
        if (i || software) times.push(last.milliseconds); // the first one compiles
      }
      pictures.push(last.data);
      const ms = median(times);
      if (variant === 'paper') paper = Math.min(paper || Infinity, ms);
      const part = { patches: last.patches, ms: round(ms), 'fills a second': round(1000 / ms) };
      result[`${name}, ${variant}`] = part;
      console.log(`${name}, ${variant}: ${JSON.stringify(part)}`);
    }
    const differ = pictures[0]!.filter((v, i) => v !== pictures[1]![i]).length;
    result[`${variant}: samples in which GPU and WASM differ`] = differ;
  }
  result.reduction = await reductions(runtime, image, mask, software ? 5 : 60);
  const start = performance.now();
  const { patches } = inpaint(image, mask, 9);
  const ms = performance.now() - start;
  result['scalar baseline'] = { patches, ms: round(ms), 'fills a second': round(1000 / ms) };
  runtime.dispose();
  return result;
}

if (document.querySelector('script[data-measure]'))
  measure('kernels.wasm', 'photograph').then(
    (result) => {
      Object.assign(window, { __result: result });
      console.log(JSON.stringify(result));
    },
    (error: unknown) => {
      Object.assign(window, { __result: { error: String(error) } });
      console.log(JSON.stringify({ error: String(error) }));
    },
  );
