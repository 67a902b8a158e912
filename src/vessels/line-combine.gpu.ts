/**
 * Several scales' responses on the GPU as one, for one read: a sample of each says how noisy it is, then one pass adds
 * them up as half floats, two bytes a pixel; the WASM side makes floats of them under the mask.
 */
import combineFragment from '../../glsl/vessels/line-combine.frag';
import samplesFragment from '../../glsl/vessels/line-samples.frag';
import type { GpuSide, Texture } from '../runtime/gpu-side.ts';
import { definePass } from '../runtime/pass.ts';
import type { Plane } from '../runtime/plane.ts';
import type { WasmSide } from '../runtime/wasm-side.ts';

/** Scales that one pass adds up. */
export const MOST_SCALES = 5;
/** The largest half float. */
const HALF = 65504;

export const lineSamplesPass = definePass({
  name: 'vessels/line-samples',
  fragment: samplesFragment,
  textures: ['source'],
  uniforms: { width: 'int', step: 'int' },
  outputs: ['samples'],
});

export const lineCombinePass = definePass({
  name: 'vessels/line-combine',
  fragment: combineFragment,
  textures: ['scale0', 'scale1', 'scale2', 'scale3', 'scale4'],
  uniforms: { widths: 'int[5]', halvings: 'int[5]', weights: 'float[5]', width: 'int' },
  outputs: ['halves'],
});

export interface ScaleOnGpu {
  readonly best: Texture<'rgba16i'>;
  readonly width: number;
  readonly halvings: number;
}

/** `columns` x `rows` samples of a response, `step` pixels apart. */
export async function sampledGpu(
  side: GpuSide,
  { best, width }: ScaleOnGpu,
  step: number,
  columns: number,
  rows: number,
): Promise<Int16Array> {
  const row = Math.ceil(columns / 4);
  const texture = side.allocate(row, rows, 'rgba16i');
  let bytes: Promise<Uint8Array>;
  try {
    side.draw(lineSamplesPass, { targets: [texture], textures: { source: best }, uniforms: { width, step } });
    bytes = side.read(texture);
  } finally {
    side.release(texture);
  }
  const wide = new Int16Array((await bytes).buffer);
  const out = new Int16Array(columns * rows);
  for (let y = 0; y < rows; y++) out.set(wide.subarray(4 * row * y, 4 * row * y + columns), columns * y);
  return out;
}

/** The weighted sum as a plane on the arena, 0 outside of the mask. */
export async function combinedGpu(
  gpu: GpuSide,
  side: WasmSide,
  scales: readonly ScaleOnGpu[],
  weights: readonly number[],
  mask: Plane,
): Promise<Plane> {
  const { width, height } = mask;
  const five = <T>(list: readonly T[], rest: T) => Array.from({ length: MOST_SCALES }, (_, i) => list[i] ?? rest);
  const textures = five(
    scales.map(({ best }) => best),
    scales[0]!.best,
  );
  // Halves of any size are equally exact; no sum may be above the largest of them.
  const most = weights.reduce((sum, weight) => sum + 32767 * weight, 0);
  const factor = most > HALF ? HALF / most : 1;
  const texels = Math.ceil(width / 8);
  const target = gpu.allocate(texels, height, 'rgba32ui');
  let bytes: Promise<Uint8Array>;
  try {
    gpu.draw(lineCombinePass, {
      targets: [target],
      textures: {
        scale0: textures[0]!,
        scale1: textures[1]!,
        scale2: textures[2]!,
        scale3: textures[3]!,
        scale4: textures[4]!,
      },
      uniforms: {
        widths: five(
          scales.map((scale) => scale.width),
          1,
        ),
        halvings: five(
          scales.map(({ halvings }) => halvings),
          0,
        ),
        weights: five(
          weights.map((weight) => factor * weight),
          0,
        ),
        width,
      },
    });
    bytes = gpu.read(target);
  } finally {
    gpu.release(target);
  }
  const halves = await bytes;
  return side.guarded(() => {
    const total = side.plane(width, height, 'f32');
    side.temporary(halves.length, (address) => {
      side.arena.u8.set(halves, address);
      side.bands('halfValues', height, [
        ...[address, 16 * texels, mask.address, mask.stride, total.address, total.stride, width, 1 / factor],
      ]);
    });
    return total;
  });
}
