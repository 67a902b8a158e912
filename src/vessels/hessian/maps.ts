/**
 * Eigenvalues and their features as planes of the whole image. These maps stay in the engine. Results that are read at
 * once are computed in bands (eigenvalues.ts, features.ts), which need less memory and stay in the cache.
 */
import { VesselnessTermsRecord } from '../../runtime/wasm/records.ts';
import { defineStage } from '../../runtime/stage.ts';
import { eigenvaluesGpu, featureOfMapsGpu, vesselnessGpu } from './eigenvalues.gpu.ts';
import { checkSigma, eigenvalueRows, hessian } from './eigenvalues.ts';
import { factorOf, lineOrBlobParameters, terms, vesselnessParameters } from './parameters.ts';
import { checkSigmas } from './features.ts';

/** Both eigenvalues. */
export const eigenvalueMaps = defineStage({
  name: 'vessels/eigenvalue-maps',
  params: hessian.params,
  inputs: ['u8'],
  outputs: ['f32', 'f32'],
  tolerance: hessian.tolerance,
  *gpu(scope, [source], params) {
    checkSigma(source, params);
    return eigenvaluesGpu(scope, source, params, params.order);
  },
  *wasm(scope, [source], params) {
    checkSigma(source, params);
    const { width, height } = source;
    const maps = [scope.plane(width, height, 'f32'), scope.plane(width, height, 'f32')] as const;
    yield* eigenvalueRows(scope, source, params, params.order)(maps, 0, height);
    return maps;
  },
});

/** Inputs: eigenvalues, the one with the smaller magnitude first. Output: the strength of the line or the blob. */
export const featureOfMaps = defineStage({
  name: 'vessels/feature-of-maps',
  params: lineOrBlobParameters,
  inputs: ['f32', 'f32'],
  outputs: ['f32'],
  // For values up to the square of the maximum sigma.
  tolerance: 1e-3,
  *gpu(scope, [first, second], params) {
    return [featureOfMapsGpu(scope, first, second, params)];
  },
  *wasm(scope, [first, second], params) {
    const { width, height, stride } = first;
    const target = scope.plane(width, height, 'f32');
    const how = { factor: factorOf(params.feature, params), blob: params.feature.endsWith('blob') };
    yield* scope.kernels.lineOrBlob({ first, second, target, stride, width, ...how }, { rows: height });
    return [target];
  },
});

/** Inputs: the image and the scales, in pixels. Outputs: vesselness and its sigma. */
export const vesselnessMaps = defineStage({
  name: 'vessels/vesselness-maps',
  params: vesselnessParameters,
  inputs: ['u8', 'f64[]'],
  outputs: ['f32', 'f32'],
  // Tolerance of vessels/vesselness.
  tolerance: 2e-3,
  *gpu(scope, [source, sigmas], params) {
    checkSigmas(source, sigmas);
    return vesselnessGpu(scope, source, [...sigmas], params);
  },
  *wasm(scope, [source, sigmas], params) {
    checkSigmas(source, sigmas);
    const { width, height } = source;
    const map = () => scope.plane(width, height, 'f32');
    const [first, second, best, scales] = [map(), map(), map(), map()];
    for (const [k, sigma] of sigmas.entries()) {
      const given = { sigma, derivative: 'gaussian' } as const;
      yield* eigenvalueRows(scope, source, given, 'magnitude')([first, second], 0, height);
      const record = scope.record(VesselnessTermsRecord, { ...terms(sigma, params), sigma, fresh: k === 0 });
      const { stride } = first;
      yield* scope.kernels.vesselness({ first, second, best, scales, stride, width, terms: record }, { rows: height });
    }
    return [best, scales];
  },
});
