/**
 * The page of `bench hardware inpaint`: whole fillings on the GPU and in WASM, and the scalar baseline, on one photograph.
 * The result lies in window.__result in the end, and in the console on the way.
 */
import type { Fill, FillOptions } from '../../../src/inpaint/fill.ts';
import { GpuFill } from '../../../src/inpaint/gpu-fill.ts';
import { WasmFill } from '../../../src/inpaint/wasm-fill.ts';
import { createGpuSide } from '../../../src/runtime/gpu-side.ts';
import { compileKernels } from '../../../src/runtime/kernels.ts';
import type { Plane } from '../../../src/runtime/plane.ts';
import { Runtime } from '../../../src/runtime/runtime.ts';
import { inpaint } from './baseline.ts';
import { median, round } from '../../parts/numbers.ts';

const now = () => Promise.resolve();

async function picture(address: string, side: number): Promise<ImageData> {
  const bitmap = await createImageBitmap(await (await fetch(address)).blob());
  const canvas = new OffscreenCanvas(side, side);
  const context = canvas.getContext('2d')!;
  context.imageSmoothingQuality = 'high';
  context.drawImage(bitmap, 0, 0, side, side);
  return context.getImageData(0, 0, side, side);
}

interface Filling {
  data: Uint8ClampedArray;
  patches: number;
  milliseconds: number;
}

/** From pixels in memory to pixels in memory. */
async function filled(make: () => Fill, { variant }: FillOptions): Promise<Filling> {
  const start = performance.now();
  const fill = make();
  let patches = 0;
  try {
    await fill.start(now);
    while (fill.remaining > 0) patches += (await fill.next(now)).length;
    if (variant === 'seamless') await fill.blend(now);
    const data = await fill.read();
    return { data, patches, milliseconds: performance.now() - start };
  } finally {
    fill.dispose();
  }
}

export async function measure(kernels: string, photograph: string): Promise<Record<string, unknown>> {
  const runtime = await Runtime.create({ module: await compileKernels(fetch(kernels)) });
  const gpu = (runtime.gpu = createGpuSide(runtime));
  const { renderer, software } = gpu.capabilities;
  // Software draws some hundred times slower: a small picture then, which shows no more than that everything runs.
  const [side, hole, rounds] = software ? [120, 24, 1] : [400, 90, 7];
  const image = await picture(photograph, side);
  const at = (side - hole) >> 1;
  const mask = new Uint8Array(side * side);
  for (let y = at; y < at + hole; y++) mask.fill(255, y * side + at, y * side + at + hole);
  const result: Record<string, unknown> = {
    machine: { renderer, software },
    frame: `a hole of ${hole} x ${hole} in ${side} x ${side}, patch 9, whole-image search`,
  };
  let paper = NaN;
  for (const variant of ['paper', 'seamless'] as const) {
    const options: FillOptions = { patch: 9, searchWindow: 0, variant };
    const pictures: Uint8ClampedArray[] = [];
    for (const [name, make] of [
      ['GPU', (s, m) => new GpuFill(gpu, runtime.wasm, s, m, options)],
      ['WASM', (s, m) => new WasmFill(runtime.wasm, s, m, options)],
    ] as [string, (source: Plane, mask: Plane) => Fill][]) {
      const times: number[] = [];
      let last!: Filling;
      for (let i = 0; i <= rounds; i++) {
        const source = runtime.plane(side, side, 'rgba8', image.data);
        const plane = runtime.plane(side, side, 'u8', mask);
        try {
          last = await filled(() => make(source, plane), options);
        } finally {
          source.dispose();
          plane.dispose();
        }
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
  const start = performance.now();
  const { patches } = inpaint(image, mask, 9);
  const ms = performance.now() - start;
  result['scalar baseline'] = { patches, ms: round(ms), 'fills a second': round(1000 / ms) };
  runtime.dispose();
  return result;
}

if (document.querySelector('script[data-measure]'))
  measure('kernels.st.wasm', 'photograph').then(
    (result) => {
      Object.assign(window, { __result: result });
      console.log(JSON.stringify(result));
    },
    (error: unknown) => {
      Object.assign(window, { __result: { error: String(error) } });
      console.log(JSON.stringify({ error: String(error) }));
    },
  );
