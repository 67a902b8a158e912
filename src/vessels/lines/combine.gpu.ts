/**
 * Combines the responses of several scales on the GPU, so that one read is enough. A sample of each determines its
 * noise. Then one pass adds them as half floats, two bytes per pixel, and the CPU (WASM) converts them to floats under
 * the mask.
 */
import combineFragment from '../../../glsl/vessels/lines/combine.frag';
import samplesFragment from '../../../glsl/vessels/lines/samples.frag';
import type { Texture } from '../../runtime/gpu/gpu-backend.ts';
import type { Plan } from '../../runtime/wasm/kernel-step.ts';
import { definePass } from '../../runtime/gpu/pass.ts';
import type { Plane } from '../../runtime/plane.ts';
import type { Scope } from '../../runtime/scope.ts';
import { type Grid, MOST_SCALES } from './scale.ts';

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

/** The samples of a response on a grid, once they have arrived. */
export async function samplesOnGpu(
  scope: Scope,
  { best, width }: ScaleOnGpu,
  { step, columns, rows }: Grid,
): Promise<Int16Array> {
  const out = new Int16Array(columns * rows);
  if (!out.length) return out;
  const row = Math.ceil(columns / 4);
  const bytes = scope.within((inner) => {
    const texture = inner.texture(row, rows, 'rgba16i');
    inner.draw(lineSamplesPass, { targets: [texture], textures: { source: best }, uniforms: { width, step } });
    return scope.gpu.read(texture);
  });
  const wide = new Int16Array((await bytes).buffer);
  for (let y = 0; y < rows; y++) out.set(wide.subarray(4 * row * y, 4 * row * y + columns), columns * y);
  return out;
}

/** The weighted sum as a plane in the arena, 0 outside the mask. */
export function* combinedGpu(
  scope: Scope,
  scales: readonly ScaleOnGpu[],
  weights: readonly number[],
  mask: Plane,
): Plan<Plane> {
  const { width, height } = mask;
  const five = <T>(list: readonly T[], rest: T) => Array.from({ length: MOST_SCALES }, (_, i) => list[i] ?? rest);
  const [scale0, scale1, scale2, scale3, scale4] = five(
    scales.map(({ best }) => best),
    scales[0]!.best,
  ) as [Texture, Texture, Texture, Texture, Texture];
  // Halves have equal relative precision for any size. No sum may exceed the largest half float.
  const most = weights.reduce((sum, weight) => sum + 32767 * weight, 0);
  const factor = most > HALF ? HALF / most : 1;
  const texels = Math.ceil(width / 8);
  const bytes = scope.within((inner) => {
    const target = inner.texture(texels, height, 'rgba32ui');
    inner.draw(lineCombinePass, {
      targets: [target],
      textures: { scale0, scale1, scale2, scale3, scale4 },
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
    return scope.gpu.read(target);
  });
  const halves = yield* scope.wait(bytes);
  const target = scope.plane(width, height, 'f32');
  const { address } = scope.table(halves);
  const source = { address, stride: 16 * texels };
  yield* scope.kernels.halfValues({ source, mask, target, width, factor: 1 / factor }, { rows: height });
  return target;
}
