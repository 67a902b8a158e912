/**
 * Exact Euclidean distance from each non-zero sample to the nearest zero sample. It is 0 on zeros, and width + height
 * if the image has no zeros. The border of the image does not count as zero.
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
