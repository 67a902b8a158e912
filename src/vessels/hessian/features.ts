/**
 * What the eigenvalues say of a pixel. Lines and blobs after paper 003, figure 1, with |l1| <= |l2| and the sign s of
 * what is sought (1 dark, -1 bright): a line where l1 is about 0 and s l2 large, s l2 - |l1|; a blob where both are, the
 * smaller of s l1 and s l2; 0 below that. Vesselness after Frangi et al. 1998, equation 15: exp(-(l1/l2)^2 / (2 beta^2))
 * (1 - exp(-(l1^2 + l2^2) / (2 c^2))) where s l2 > 0, the largest over the scales.
 *
 * Eigenvalues are multiplied by sigma^2 first (Lindeberg 1998): a line of a given contrast then gives one value, and is
 * judged by one c, whatever its width, at the scale that fits it. Units: gray 0..1.
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
import { lineOrBlobGpu, vesselnessGpu } from './features.gpu.ts';
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
  // That of the eigenvalues at the largest sigma, 32, by sigma^2.
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

/** The largest measure over the scales and, where wanted, the sigma that it comes from. */
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

/** Inputs: the image and the scales, in pixels. Outputs: the measure, and the sigma that it comes from if asked for. */
export const vesselness = defineStage({
  name: 'vessels/vesselness',
  params: {
    ...vesselnessParameters,
    bestSigma: boolean({ default: false, effect: 'Also returns the sigma of each pixel’s largest response.' }),
  },
  inputs: ['u8', 'f64[]'],
  // Row by row.
  outputs: ['f32[]', 'f32[]'],
  // The golden figures allow this: a small c or beta magnifies the rounding of the second differences.
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

/** Throws 'invalid-argument' where the largest scale does not fit the image. */
export function checkSigmas(source: Plane, sigmas: Float64Array): void {
  checkSigma(source, { sigma: Math.max(...sigmas), derivative: 'gaussian' });
}
