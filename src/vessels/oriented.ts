/**
 * Response to dark lines of several widths: vessels/line-maximum at each scale, weighted by its signal and noise in this
 * photograph, so that a scale that is noisy or has no vessels here counts for less. A coarse scale is worked on in a plane reduced so far that its sigma is still some pixels there.
 * Sources: Frangi et al. 1998 and Lindeberg 1998 for the scales; averaging along lines after Nguyen et al. 2013.
 */
import type { CallContext } from '../runtime/capability.ts';
import type { Plane } from '../runtime/plane.ts';
import type { Runtime } from '../runtime/runtime.ts';
import { sideOf } from '../runtime/side.ts';
import type { WasmSide } from '../runtime/wasm-side.ts';
import { combinedGpu, MOST_SCALES, sampledGpu, type ScaleOnGpu } from './line-combine.gpu.ts';
import { accumulateWasm } from './line-enlarge.ts';
import { lineMaximum, lineMaximumInBands } from './line-maximum.ts';
import { gridOf, sampledWasm, weightOf } from './line-noise.ts';
import { integerScale, reducedScale, type LineScale, type ReducedScale } from './line-scale.ts';
import { lineMaximumGpu, lineTermsGpu } from './line.gpu.ts';
import { packedOf } from './packed.gpu.ts';
import type { WorkingPlane } from './working-plane.ts';

/** Below so many working pixels the WASM side is done before the GPU's answer is back (docs/performance.md). */
const GPU_PIXELS = 1 << 19;

/** The working plane and its reductions, each made when it is first asked for. */
function pyramid(side: WasmSide, base: Plane): { level(halvings: number): Plane; dispose(): void } {
  const levels = [base];
  return {
    level(halvings) {
      while (levels.length <= halvings) {
        const { address, stride, width, height } = levels.at(-1)!;
        const half = side.plane((width + 1) >> 1, (height + 1) >> 1, 'f32');
        levels.push(half);
        side.bands('halveF32', half.height, [address, stride, width, height, half.address, half.stride]);
      }
      return levels[halvings]!;
    },
    dispose() {
      for (const plane of levels.slice(1)) plane.dispose();
    },
  };
}

type Levels = ReturnType<typeof pyramid>;

async function onWasm(
  { runtime, slice, progress }: CallContext,
  mask: Plane,
  levels: Levels,
  scales: readonly ReducedScale[],
): Promise<Plane> {
  const side = runtime.wasm;
  const total = side.plane(mask.width, mask.height, 'f32');
  let done = false;
  try {
    for (const [k, scale] of scales.entries()) {
      const source = levels.level(scale.halvings);
      const { sigma, length } = scale;
      const params = { sigma, length, scale: integerScale(side, source, scale) };
      const best = await lineMaximumInBands(side, source, params, slice);
      const grid = gridOf(best.width, best.height);
      const weight = weightOf(side, sampledWasm(side, best, grid), grid, mask, 2 ** scale.halvings);
      accumulateWasm(side, best, { halvings: scale.halvings, weight }, mask, total, k === 0);
      best.dispose();
      progress((k + 1) / scales.length);
      await slice();
    }
    done = true;
    return total;
  } finally {
    if (!done) total.dispose();
  }
}

/** Enqueues one scale. */
function scaleOnGpu(runtime: Runtime, source: Plane, scale: ReducedScale): ScaleOnGpu {
  const gpu = runtime.gpu!;
  const { width } = source;
  const { sigma, length, halvings } = scale;
  const packed = packedOf(gpu, runtime.arena, source, 'rgba32f');
  try {
    const terms = lineTermsGpu(gpu, packed, {
      width,
      sigma,
      scale: integerScale(runtime.wasm, source, scale),
    });
    try {
      return { best: lineMaximumGpu(gpu, terms, { width, sigma, length }), width, halvings };
    } finally {
      for (const term of terms) gpu.release(term);
    }
  } finally {
    gpu.release(packed);
  }
}

async function onGpu(
  { runtime, slice, progress }: CallContext,
  mask: Plane,
  levels: Levels,
  scales: readonly ReducedScale[],
): Promise<Plane> {
  const gpu = runtime.gpu!;
  const side = runtime.wasm;
  gpu.usable();
  const made: ScaleOnGpu[] = [];
  try {
    // The GPU gets the work of all scales before the first answer is waited for.
    const samples = scales.map((scale) => {
      const source = levels.level(scale.halvings);
      const one = scaleOnGpu(runtime, source, scale);
      made.push(one);
      const grid = gridOf(source.width, source.height);
      return { grid, values: sampledGpu(gpu, one, grid.step, grid.columns, grid.rows) };
    });
    const values = await Promise.all(samples.map((sample) => sample.values));
    progress(0.8);
    await slice();
    const weights = values.map((list, k) => weightOf(side, list, samples[k]!.grid, mask, 2 ** scales[k]!.halvings));
    return await combinedGpu(gpu, side, made, weights, mask);
  } finally {
    for (const { best } of made) gpu.release(best);
  }
}

/** Weighted sum over scales, 0 outside of the mask; f32, on the arena. */
export async function lineResponse(
  context: CallContext,
  { contrast, inside, width, height }: WorkingPlane,
  scales: readonly LineScale[],
): Promise<Plane> {
  const { runtime } = context;
  const gpu =
    scales.length <= MOST_SCALES &&
    sideOf(runtime, lineMaximum, [contrast]) === 'gpu' &&
    (runtime.gpuForced || width * height >= GPU_PIXELS);
  const levels = pyramid(runtime.wasm, contrast);
  try {
    return await (gpu ? onGpu : onWasm)(context, inside, levels, scales.map(reducedScale));
  } finally {
    levels.dispose();
  }
}
