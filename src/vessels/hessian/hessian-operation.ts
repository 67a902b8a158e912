/** engine.hessianEigenvalues. */
import type { Source } from '../../results/types.ts';
import { toSamples } from '../../image/image-of.ts';
import { defineOperations, operationOfParts } from '../../runtime/capability.ts';
import type { Plan } from '../../runtime/wasm/kernel-step.ts';
import { eigenvalueParameters } from './eigenvalue-parameters.ts';
import { hessian } from './eigenvalues.ts';
import { eigenvalueMaps } from './maps.ts';

/** Of every pixel, |lambda1| <= |lambda2|, in gray 0..1 per pixel^2, not scale-normalized. */
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
   * Eigenvalues of the Hessian of the smoothed gray image, for lines and blobs: `lambda1` and `lambda2` of width x height,
   * row by row, |lambda1| <= |lambda2|, gray in 0..1 per pixel^2, not scale-normalized. `sigma` is in pixels. `derivative`:
   * 'gaussian' takes second differences of the Gaussian, 'sobel' Sobel derivatives of Sobel derivatives, without `sigma`,
   * 'gradients' central differences twice, as scikit-image's hessian_matrix. With `keep: true` both stay in the engine,
   * as maps that `featureOfEigenvalues` takes. Source: Ben Sayadia et al., J. Electronic
   * Imaging 29(6), 2020.
   * @throws {FoveolaError} (rejects) 'invalid-argument' where sigma exceeds the image, and as every call, see {@link Engine}
   */
  hessianEigenvalues: hessianOperation,
});
