/**
 * Eigenvalues of the Hessian of a smoothed gray image (paper 003, section 2), in three channels:
 * - 'gaussian' smooths with sigma and uses second differences (x+1) - 2 x + (x-1). The mixed one is computed from the
 *   four diagonal neighbors / 4.
 * - 'sobel' applies the Sobel filter twice, each divided by 8, like OpenCV's 5x5 Sobel. It has no sigma. The paper's
 *   second approach, "Sobel followed by a Laplacian", would be a third derivative, which is 0 at the center of a line.
 * - 'gradients' smooths with a Gaussian cut at 4 sigma, not 3, and uses gradients of gradients, ((x+1) - (x-1)) / 2
 *   twice, one-sided in the first and last row and column, like scikit-image's hessian_matrix (0.19, border
 *   replicated).
 *
 * Both eigenvalues use one root, sqrt((IH - IV)^2 + 4 ID^2). The paper prints this root with a wrong sign.
 * Otherwise the border is replicated at each step. Units: gray 0 to 1 per pixel^2, not scale-normalized.
 *
 * Cost on the CPU (WASM) for radius r: about 11 r / 8 + 5 r / 4 + 9 vector operations per pixel. Only the results leave
 * the cache.
 */
import { FoveolaError } from '../../runtime/error.ts';
import type { Plan } from '../../runtime/wasm/kernel-step.ts';
import { choice } from '../../runtime/parameters.ts';
import type { Plane } from '../../runtime/plane.ts';
import type { Scope } from '../../runtime/scope.ts';
import { defineStage } from '../../runtime/stage.ts';
import {
  eigenvalueParameters,
  sobelUnit,
  type EigenvalueOrder,
  type EigenvalueValues,
  floatTaps,
  gradientRadius,
} from './parameters.ts';
import { eigenvalueListsGpu } from './eigenvalues.gpu.ts';
import { copyRows, fromRow, inBands } from '../row-bands.ts';

/** Throws 'invalid-argument' if the Gaussian would be wider than the image. */
export function checkSigma(
  { width, height }: { width: number; height: number },
  { sigma, derivative }: EigenvalueValues,
): void {
  const side = Math.max(width, height);
  if (derivative !== 'sobel' && sigma > side)
    throw new FoveolaError(
      'invalid-argument',
      `sigma must be at most the longer side of the image (${side} px), not ${sigma} px.`,
    );
}

/** Computes rows from..to-1 of both eigenvalues and writes them to the first rows of two planes. */
export type EigenvalueRows = (planes: readonly Plane[], from: number, to: number) => Plan<void>;

/** Usage: `yield* eigenvalueRows(...)(planes, from, to)`. Memory that it allocates belongs to the scope. */
export function eigenvalueRows(
  scope: Scope,
  source: Plane,
  { sigma, derivative }: EigenvalueValues,
  order: EigenvalueOrder,
): EigenvalueRows {
  const { width, height } = source;
  const imageOf = ([a, b]: readonly Plane[], from: number) => ({
    ...{ source, width, height, ordered: order === 'magnitude' },
    ...{ target1: fromRow(a!, from), target2: fromRow(b!, from), targetStride: a!.stride },
  });
  if (derivative === 'sobel')
    return function* (planes, from, to) {
      const given = { ...imageOf(planes, from), unit: sobelUnit };
      yield* scope.kernels.sobelEigenvalues(given, { rows: [from, to], minimumBand: 32 });
    };
  const gradients = derivative === 'gradients';
  const reach = gradients ? gradientRadius(sigma) : undefined;
  const down = floatTaps(sigma, 1 / 255, reach);
  const radius = down.length - 1;
  const taps = scope.table(Float32Array.of(...down, ...floatTaps(sigma, 1, reach)));
  return function* (planes, from, to) {
    const given = { ...imageOf(planes, from), taps, radius };
    const over = { rows: [from, to] as const, minimumBand: 32, cost: width * (radius + 4) };
    if (gradients) yield* scope.kernels.gradientEigenvalues(given, over);
    else yield* scope.kernels.hessianEigenvalues(given, over);
  };
}

export const hessian = defineStage({
  name: 'vessels/hessian',
  params: {
    ...eigenvalueParameters,
    order: choice({
      default: 'value',
      values: ['value', 'magnitude'],
      effect: 'Ascending, or the smaller magnitude first.',
    }),
  },
  inputs: ['u8'],
  // Row by row.
  outputs: ['f32[]', 'f32[]'],
  // 5e-4 gray levels of 255, as in the golden values: second differences of smoothed samples cancel.
  tolerance: 2e-6,
  fits: (gpu, [{ width, height }], { derivative }) =>
    gpu.capabilities.floatTargets && gpu.fits(derivative === 'gaussian' ? Math.ceil(width / 4) : width, height),
  *gpu(scope, [source], params) {
    checkSigma(source, params);
    return yield* eigenvalueListsGpu(scope, source, params, params.order);
  },
  *wasm(scope, [source], params) {
    checkSigma(source, params);
    const { width, height } = source;
    const lists = [new Float32Array(width * height), new Float32Array(width * height)] as const;
    const rows = eigenvalueRows(scope, source, params, params.order);
    yield* inBands(scope, source, ['f32', 'f32'], function* (planes, from, to) {
      yield* rows(planes, from, to);
      lists.forEach((list, i) => copyRows(scope, planes[i]!, list, width, from, to));
    });
    return lists;
  },
});
