/** engine.hessianEigenvalues. */
import type { EngineImage, Source } from '../../results/types.ts';
import { toSamples } from '../../image/image-of.ts';
import { defineOperations, operationOfParts } from '../../runtime/capability.ts';
import { FoveolaError } from '../../runtime/error.ts';
import type { Plane } from '../../runtime/plane.ts';
import type { Scope } from '../../runtime/scope.ts';
import type { Plan } from '../../runtime/wasm/kernel-step.ts';
import { resolveParameters, type Values } from '../../runtime/parameters.ts';
import { lineOrBlob, lineOrBlobParameters, vesselness } from './features.ts';
import { sigmaParameter, eigenvalueParameters } from './parameters.ts';
import { eigenvalueMaps, featureOfMaps, vesselnessMaps } from './maps.ts';
import { hessian } from './eigenvalues.ts';

// engine.ridgeFeature and engine.vesselness.

/** Strength of every pixel, in gray 0 to 1, normalized by sigma^2. 0 if there is no such line or blob. */
export interface FeatureResult {
  width: number;
  height: number;
  response: Float32Array;
}

/** `response` 0 to 1. `bestSigma`: its sigma in pixels, 0 without a response. */
export interface VesselnessResult extends FeatureResult {
  bestSigma?: Float32Array;
}

/** Scales in pixels, 1 to 16 of them. Default 1, 2 and 3. */
export interface Sigmas {
  sigmas?: readonly number[];
}

const featureOperation = operationOfParts<[source: Source], FeatureResult, 'response'>()({
  params: lineOrBlobParameters,
  sources: ['gray'],
  *plan(scope, [source], params): Plan<FeatureResult> {
    const { width, height } = source;
    if (scope.options.keep) {
      const { sigma, derivative } = params;
      const maps = yield* scope.run(eigenvalueMaps, [source], { sigma, derivative, order: 'magnitude' });
      return yield* featureOf(scope, maps, params);
    }
    const [response] = yield* scope.run(lineOrBlob, [source], params);
    return { width, height, response };
  },
});

function* featureOf(
  scope: Scope,
  [first, second]: readonly [Plane, Plane],
  params: Values<typeof lineOrBlobParameters>,
): Plan<FeatureResult> {
  const { width, height } = first;
  const [strength] = yield* scope.run(featureOfMaps, [first, second], params);
  return { width, height, response: yield* toSamples(scope, strength) };
}

const featureOfEigenvaluesOperation = operationOfParts<
  [lambda1: EngineImage, lambda2: EngineImage],
  FeatureResult,
  'response'
>()({
  params: lineOrBlobParameters,
  sources: ['any', 'any'],
  *plan(scope, [first, second], params): Plan<FeatureResult> {
    const alike = first.width === second.width && first.height === second.height;
    if (!alike || first.format !== 'f32' || second.format !== 'f32')
      throw new FoveolaError(
        'invalid-argument',
        'featureOfEigenvalues needs lambda1 and lambda2 of one call of hessianEigenvalues with keep: true.',
      );
    return yield* featureOf(scope, [first, second], params);
  },
});

type VesselnessValues = Values<typeof vesselness.params> & { readonly sigmas: readonly number[] };

function resolve(given: Record<string, unknown>): VesselnessValues {
  const { sigmas = [1, 2, 3], ...rest } = given;
  const values = resolveParameters(vesselness.params, rest as Partial<Values<typeof vesselness.params>>, 'vesselness');
  const { min, max } = sigmaParameter;
  const good =
    Array.isArray(sigmas) &&
    sigmas.length >= 1 &&
    sigmas.length <= 16 &&
    sigmas.every((s) => typeof s === 'number' && s >= min && s <= max);
  if (!good)
    throw new FoveolaError(
      'invalid-argument',
      `vesselness: sigmas must be a list of 1 to 16 numbers from ${min} to ${max} px.`,
    );
  return { ...values, sigmas: [...(sigmas as number[])] };
}

const vesselnessOperation = operationOfParts<[source: Source], VesselnessResult, 'response' | 'bestSigma', Sigmas>()({
  params: vesselness.params,
  sources: ['gray'],
  resolve,
  *plan(scope, [source], params): Plan<VesselnessResult> {
    const { sigmas, ...values } = params;
    const { width, height } = source;
    const scales = Float64Array.from(sigmas);
    if (scope.options.keep) {
      const { bestSigma, ...measure } = values;
      const [best, from] = yield* scope.run(vesselnessMaps, [source, scales], measure);
      const response = yield* toSamples<Float32Array>(scope, best);
      return { width, height, response, ...(bestSigma && { bestSigma: yield* toSamples<Float32Array>(scope, from) }) };
    }
    const [response, bestSigma] = yield* scope.run(vesselness, [source, scales], values);
    return values.bestSigma ? { width, height, response, bestSigma } : { width, height, response };
  },
});

export const featureOperations = defineOperations({
  /**
   * Strength of dark or bright lines or blobs from the eigenvalues of the Hessian, normalized by sigma^2. `response`
   * has width x height values, row by row, in gray 0 to 1, 0 without a line or blob. `sigma` is in pixels. Source: Ben
   * Sayadia et al., J. Electronic Imaging 29(6), 2020, figure 1. Normalization: Lindeberg 1998.
   * @throws {FoveolaError} (rejects) 'invalid-argument' if sigma exceeds the image, and as every call, see {@link
   * Engine}
   */
  ridgeFeature: featureOperation,
  /**
   * Like `ridgeFeature`, from eigenvalues that stay in the engine: `lambda1` and `lambda2` of `hessianEigenvalues`
   * with `keep: true` and equal `sigma` and `derivative`. They are computed once for several features.
   * @throws {FoveolaError} (rejects) 'invalid-argument' for other inputs, and as every call, see {@link Engine}
   */
  featureOfEigenvalues: featureOfEigenvaluesOperation,
  /**
   * Frangi's vesselness: the maximum over `sigmas` (pixels, default 1, 2 and 3), 0 to 1, of width x height, row by row.
   * `c` is in gray 0 to 1. `bestSigma: true` adds the sigma of the maximum response of each pixel. Source: Frangi et
   * al., MICCAI 1998, equation 15.
   * @throws {FoveolaError} (rejects) 'invalid-argument' for sigmas that are invalid or exceed the image, and as every
   * call, see {@link Engine}
   */
  vesselness: vesselnessOperation,
});

/** Eigenvalues of every pixel, |lambda1| <= |lambda2|, in gray 0 to 1 per pixel^2, not scale-normalized. */
export interface HessianResult {
  width: number;
  height: number;
  lambda1: Float32Array;
  lambda2: Float32Array;
}

const hessianOperation = operationOfParts<[source: Source], HessianResult, 'lambda1' | 'lambda2'>()({
  params: eigenvalueParameters,
  sources: ['gray'],
  *plan(scope, [source], params): Plan<HessianResult> {
    const { width, height } = source;
    const given = { ...params, order: 'magnitude' } as const;
    if (scope.options.keep) {
      const [first, second] = yield* scope.run(eigenvalueMaps, [source], given);
      return {
        ...{ width, height, lambda1: yield* toSamples<Float32Array>(scope, first) },
        lambda2: yield* toSamples<Float32Array>(scope, second),
      };
    }
    const [lambda1, lambda2] = yield* scope.run(hessian, [source], given);
    return { width, height, lambda1, lambda2 };
  },
});

export const hessianOperations = defineOperations({
  /**
   * Eigenvalues of the Hessian of the smoothed gray image, for lines and blobs. `lambda1` and `lambda2` have width x
   * height values, row by row, |lambda1| <= |lambda2|, gray in 0 to 1 per pixel^2, not scale-normalized. `sigma` is in
   * pixels. `derivative` selects the method. 'gaussian' uses second differences of the Gaussian. 'sobel' uses Sobel
   * derivatives of Sobel derivatives, without `sigma`. 'gradients' uses central differences twice, like scikit-image's
   * hessian_matrix. With `keep: true` both stay in the engine, as maps for `featureOfEigenvalues`. Source: Ben Sayadia
   * et al., J. Electronic Imaging 29(6), 2020.
   * @throws {FoveolaError} (rejects) 'invalid-argument' if sigma exceeds the image, and as every call, see {@link
   * Engine}
   */
  hessianEigenvalues: hessianOperation,
});
