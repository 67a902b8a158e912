/**
 * Euclidean distance of each non-zero sample to the nearest zero one, exact; 0 on zeros, width + height where there is no
 * zero at all. The image's border is no zero.
 */
import { defineStage } from '../runtime/stage.ts';

export const distanceTransform = defineStage({
  name: 'image/distance-transform',
  params: {},
  inputs: ['u8'],
  outputs: ['f32'],
  tolerance: 1e-3,
  wasmOnly: 'Exact distances need a serial pass along every column and row. Jump flooding on the GPU is not exact.',
  *wasm(scope, [source]) {
    const { width, height } = source;
    const target = scope.plane(width, height, 'f32');
    const far = width + height;
    yield* scope.kernels.distanceColumns(
      { source, target, height, far },
      { rows: width, minimumBand: 64, cost: height },
    );
    yield* scope.kernels.distanceRows({ target, width, far }, { rows: height });
    return [target];
  },
});
