/**
 * Shape of a mask: its skeleton, and the distance of each sample to the background. For the skeleton, non-zero samples
 * are thinned from the border inwards until lines one sample wide are left, 8-connected. Source: Zhang and Suen, CACM
 * 27(3), 1984.
 */
import { defineStage } from '../runtime/stage.ts';
import type { Plan } from '../runtime/wasm/kernel-step.ts';
import type { Plane } from '../runtime/plane.ts';
import type { Scope } from '../runtime/scope.ts';

/**
 * Exact Euclidean distance from each non-zero sample to the nearest zero sample. It is 0 on zeros, and width + height
 * if the image has no zeros. The border of the image does not count as zero.
 */

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

/** Runs one iteration, from `from` to `over` and back to `from`. Returns whether any sample was cleared. */
function* thin(scope: Scope, from: Plane, over: Plane): Plan<boolean> {
  const { width, height } = from;
  const changed = scope.zeros(4);
  yield* scope.kernels.skeletonStep({ source: from, target: over, width, height, phase: 0, changed }, { rows: height });
  yield* scope.kernels.skeletonStep({ source: over, target: from, width, height, phase: 1, changed }, { rows: height });
  const cleared = scope.u32(changed, 1)[0] !== 0;
  scope.free(changed);
  return cleared;
}

export const skeleton = defineStage({
  name: 'image/skeleton',
  params: {},
  inputs: ['u8'],
  outputs: ['u8'],
  tolerance: 0,
  wasmOnly:
    'As many passes as the widest region has samples to its middle, each of little work: latency rules on a GPU.',
  *wasm(scope, [source]) {
    const { width, height, address, stride } = source;
    const target = scope.plane(width, height, 'u8');
    const over = scope.plane(width, height, 'u8');
    scope.arena.u8.copyWithin(target.address, address, address + stride * height);
    while (yield* thin(scope, target, over));
    return [target];
  },
});
