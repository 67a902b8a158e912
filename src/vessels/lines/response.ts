/**
 * Response to dark lines of several widths: vessels/line-maximum at each scale, weighted by its signal and noise in
 * this photograph. A scale that is noisy or has no vessels here has a lower weight. A coarse scale is computed in a
 * reduced plane, where its sigma is still a few pixels. One backend is chosen for all scales. Sources: Frangi et al.
 * 1998 and Lindeberg 1998 for the scales, averaging along lines after Nguyen et al. 2013.
 */
import { FoveolaError } from '../../runtime/error.ts';
import type { Plan } from '../../runtime/wasm/kernel-step.ts';
import type { Plane } from '../../runtime/plane.ts';
import type { Scope } from '../../runtime/scope.ts';
import { defineStage } from '../../runtime/stage.ts';
import { combinedGpu, samplesOnGpu, type ScaleOnGpu } from './combine.gpu.ts';
import { accumulate, lineMaximumInBands } from './maximum.ts';
import {
  gridOf,
  samplesOf,
  weightOf,
  integerScale,
  MOST_SCALES,
  reducedScale,
  type LineScale,
  type ReducedScale,
} from './scale.ts';
import { lineMaximumFits, lineMaximumGpu, lineTermsGpu, packedOf } from './lines.gpu.ts';

/**
 * Below this number of working pixels the CPU (WASM) finishes before the answer of the GPU arrives
 * (lab/results/performance.md).
 */
const GPU_PIXELS = 1 << 19;
/** Progress of the whole extraction when the response is complete. */
const SHARE = 0.9;

/** The plane and its pyramid levels, as many as the coarsest scale needs. */
function* pyramidOf(scope: Scope, base: Plane, scales: readonly ReducedScale[]): Plan<Plane[]> {
  const levels = [base];
  const most = Math.max(...scales.map(({ halvings }) => halvings));
  for (let source = base; levels.length <= most; source = levels.at(-1)!) {
    const { width, height } = source;
    const target = scope.plane((width + 1) >> 1, (height + 1) >> 1, 'f32');
    levels.push(target);
    yield* scope.kernels.halveF32({ source, width, height, target }, { rows: target.height });
  }
  return levels;
}

function* onWasm(scope: Scope, contrast: Plane, mask: Plane, scales: readonly ReducedScale[]): Plan<Plane> {
  const { width, height } = contrast;
  const total = scope.plane(width, height, 'f32');
  const levels = yield* pyramidOf(scope, contrast, scales);
  for (const [k, scale] of scales.entries()) {
    const source = levels[scale.halvings]!;
    const { sigma, length, halvings } = scale;
    const params = { sigma, length, scale: yield* integerScale(scope, source, scale) };
    const best = yield* lineMaximumInBands(scope, source, params);
    const grid = gridOf(best.width, best.height);
    const weight = weightOf(scope, samplesOf(scope, best, grid), grid, mask, 2 ** halvings);
    yield* accumulate(scope, best, { halvings, weight }, mask, total, k === 0);
    scope.free(best);
    scope.progress((SHARE * (k + 1)) / scales.length);
  }
  return total;
}

/** Enqueues one scale. */
function* scaleOnGpu(scope: Scope, source: Plane, scale: ReducedScale): Plan<ScaleOnGpu> {
  const { width } = source;
  const { sigma, length, halvings } = scale;
  const steps = yield* integerScale(scope, source, scale);
  const best = scope.texture(Math.ceil(width / 4), source.height, 'rgba16i');
  scope.within((inner) => {
    const packed = packedOf(inner, source, 'rgba32f');
    const terms = lineTermsGpu(inner, packed, { width, sigma, scale: steps });
    lineMaximumGpu(inner, terms, { width, sigma, length }, best);
  });
  return { best, width, halvings };
}

function* onGpu(scope: Scope, contrast: Plane, mask: Plane, scales: readonly ReducedScale[]): Plan<Plane> {
  yield* scope.onArena(contrast);
  yield* scope.onArena(mask);
  const levels = yield* pyramidOf(scope, contrast, scales);
  // The work of all scales is sent to the GPU before waiting for the first answer.
  const made: ScaleOnGpu[] = [];
  for (const scale of scales) made.push(yield* scaleOnGpu(scope, levels[scale.halvings]!, scale));
  const grids = made.map(({ halvings }) => gridOf(levels[halvings]!.width, levels[halvings]!.height));
  const samples = yield* scope.wait(Promise.all(made.map((scale, k) => samplesOnGpu(scope, scale, grids[k]!))));
  scope.progress(0.8 * SHARE);
  const weights = samples.map((list, k) => weightOf(scope, list, grids[k]!, mask, 2 ** scales[k]!.halvings));
  return yield* combinedGpu(scope, made, weights, mask);
}

function scalesOf(list: Float64Array): ReducedScale[] {
  const count = list.length / 2;
  if (!Number.isInteger(count) || count < 1 || count > MOST_SCALES)
    throw new FoveolaError('invalid-argument', `Lines have 1 to ${MOST_SCALES} pairs of sigma and length.`);
  return Array.from({ length: count }, (_, k) => reducedScale({ sigma: list[2 * k]!, length: list[2 * k + 1]! }));
}

/** Scales in the format of the third input of vessels/line-response: sigma and length of each. */
export const scaleList = (scales: readonly LineScale[]): Float64Array =>
  Float64Array.from(scales.flatMap(({ sigma, length }) => [sigma, length]));

/**
 * Inputs: the working plane, 255 where vessels are searched, the scales (see scaleList). Output: the weighted sum over
 * the scales, in the arena, 0 outside the mask.
 */
export const lineResponse = defineStage({
  name: 'vessels/line-response',
  params: {},
  inputs: ['f32', 'u8', 'f64[]'],
  outputs: ['f32'],
  // For values up to some hundreds. The GPU adds half floats.
  tolerance: 0.5,
  fits: (gpu, [contrast, , list]) =>
    gpu.capabilities.floatTargets && scalesOf(list).every((scale) => lineMaximumFits(gpu, contrast, scale)),
  pays: ([{ width, height }]) => width * height >= GPU_PIXELS,
  *gpu(scope, [contrast, mask, list]) {
    return [yield* onGpu(scope, contrast, mask, scalesOf(list))];
  },
  *wasm(scope, [contrast, mask, list]) {
    return [yield* onWasm(scope, contrast, mask, scalesOf(list))];
  },
});
