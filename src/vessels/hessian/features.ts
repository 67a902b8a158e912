/**
 * Features of a pixel from its eigenvalues. Lines and blobs after paper 003, figure 1, with |l1| <= |l2| and the sign s
 * of the target (1 dark, -1 bright). A line, if l1 is about 0 and s l2 is large: s l2 - |l1|. A blob, if both are
 * large: the smaller of s l1 and s l2. Negative values become 0. Vesselness after Frangi et al. 1998, equation 15:
 * exp(-(l1/l2)^2 / (2 beta^2)) (1 - exp(-(l1^2 + l2^2) / (2 c^2))) if s l2 > 0, the maximum over the scales.
 *
 * Eigenvalues are first multiplied by sigma^2 (Lindeberg 1998). A line of a given contrast then has one value at the
 * scale that fits it, whatever its width, so that one c works for all widths. Units: gray 0 to 1.
 */
import type { Plan } from '../../runtime/wasm/kernel-step.ts';
import { boolean } from '../../runtime/parameters.ts';
import type { Plane } from '../../runtime/plane.ts';
import { VesselnessTermsRecord } from '../../runtime/wasm/records.ts';
import type { Scope } from '../../runtime/scope.ts';
import { defineStage } from '../../runtime/stage.ts';
import { checkSigma, eigenvalueRows } from './eigenvalues.ts';
import {
  factorOf,
  lineOrBlobParameters,
  terms,
  vesselnessParameters,
  type LineOrBlobValues,
  type Measure,
} from './parameters.ts';
import { lineOrBlobGpu, vesselnessGpu } from './eigenvalues.gpu.ts';
import { copyRows, inBands } from '../row-bands.ts';

export * from './parameters.ts';

function* lineOrBlobWasm(scope: Scope, source: Plane, params: LineOrBlobValues): Plan<Float32Array> {
  const { width, height } = source;
  const response = new Float32Array(width * height);
  const rows = eigenvalueRows(scope, source, params, 'magnitude');
  const how = { factor: factorOf(params.feature, params), blob: params.feature.endsWith('blob') };
  yield* inBands(scope, source, ['f32', 'f32'], function* (planes, from, to) {
    yield* rows(planes, from, to);
    const [first, second] = planes as [Plane, Plane];
    const { stride } = first;
    yield* scope.kernels.lineOrBlob({ first, second, target: first, stride, width, ...how }, { rows: to - from });
    copyRows(scope, first, response, width, from, to);
  });
  return response;
}

export const lineOrBlob = defineStage({
  name: 'vessels/line-or-blob',
  params: lineOrBlobParameters,
  inputs: ['u8'],
  // Row by row.
  outputs: ['f32[]'],
  // Tolerance of the eigenvalues at the maximum sigma, 32, times sigma^2.
  tolerance: 2e-3,
  fits: (gpu, [{ width, height }]) => gpu.capabilities.floatTargets && gpu.fits(width, height),
  *gpu(scope, [source], params) {
    checkSigma(source, params);
    return [(yield* scope.read(lineOrBlobGpu(scope, source, params))) as Float32Array];
  },
  *wasm(scope, [source], params) {
    checkSigma(source, params);
    return [yield* lineOrBlobWasm(scope, source, params)];
  },
});

/** The maximum measure over the scales and, if requested, its sigma. */
function* vesselnessWasm(
  scope: Scope,
  source: Plane,
  sigmas: readonly number[],
  measure: Measure,
  bestSigma: boolean,
): Plan<[Float32Array, Float32Array]> {
  const { width, height } = source;
  const response = new Float32Array(width * height);
  const scale = new Float32Array(bestSigma ? width * height : 0);
  const each = sigmas.map((sigma, k) => ({
    rows: eigenvalueRows(scope, source, { sigma, derivative: 'gaussian' }, 'magnitude'),
    terms: scope.record(VesselnessTermsRecord, { ...terms(sigma, measure), sigma, fresh: k === 0 }),
  }));
  const formats = bestSigma ? (['f32', 'f32', 'f32', 'f32'] as const) : (['f32', 'f32', 'f32'] as const);
  yield* inBands(scope, source, formats, function* (planes, from, to) {
    const [first, second, best, scales] = planes as [Plane, Plane, Plane, Plane?];
    const given = { first, second, best, scales: scales ?? 0, stride: first.stride, width };
    for (const { rows, terms } of each) {
      yield* rows(planes, from, to);
      yield* scope.kernels.vesselness({ ...given, terms }, { rows: to - from });
    }
    copyRows(scope, best, response, width, from, to);
    if (scales) copyRows(scope, scales, scale, width, from, to);
  });
  return [response, scale];
}

/** Inputs: the image and the scales, in pixels. Outputs: the measure and, if requested, its sigma. */
export const vesselness = defineStage({
  name: 'vessels/vesselness',
  params: {
    ...vesselnessParameters,
    bestSigma: boolean({ default: false, effect: 'Also returns the sigma of each pixel’s largest response.' }),
  },
  inputs: ['u8', 'f64[]'],
  // Row by row.
  outputs: ['f32[]', 'f32[]'],
  // Allowed by the golden values: a small c or beta magnifies the rounding error of the second differences.
  tolerance: 2e-3,
  fits: (gpu, [{ width, height }]) => gpu.capabilities.floatTargets && gpu.fits(width, height),
  *gpu(scope, [source, sigmas], params) {
    checkSigmas(source, sigmas);
    const [best, scales] = vesselnessGpu(scope, source, [...sigmas], params);
    const response = (yield* scope.read(best)) as Float32Array;
    return [response, params.bestSigma ? ((yield* scope.read(scales)) as Float32Array) : new Float32Array(0)];
  },
  *wasm(scope, [source, sigmas], params) {
    checkSigmas(source, sigmas);
    return yield* vesselnessWasm(scope, source, [...sigmas], params, params.bestSigma);
  },
});

/** Throws 'invalid-argument' if the largest scale does not fit the image. */
export function checkSigmas(source: Plane, sigmas: Float64Array): void {
  checkSigma(source, { sigma: Math.max(...sigmas), derivative: 'gaussian' });
}
