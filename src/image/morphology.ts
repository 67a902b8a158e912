/** Common parts of erosion, dilation and top-hat. */
import type { Plan } from '../runtime/wasm/kernel-step.ts';
import { number } from '../runtime/parameters.ts';
import type { Plane } from '../runtime/plane.ts';
import type { Scope } from '../runtime/scope.ts';
import { defineStage } from '../runtime/stage.ts';
import { morphologyGpu } from './filters.gpu.ts';

/** Maximum size of the kernel. */
const maximumSize = 63;

export const morphologyParameters = {
  size: number({
    default: 19,
    min: 1,
    max: maximumSize,
    values: Array.from({ length: (maximumSize + 1) / 2 }, (_, i) => 2 * i + 1),
    unit: 'px',
    effect: 'Size of the kernel. Narrower structures disappear.',
  }),
} as const;

export function* runMorphology(
  scope: Scope,
  kernel: 'erode' | 'dilate' | 'topHat',
  source: Plane,
  size: number,
): Plan<Plane> {
  const { width, height } = source;
  const target = scope.plane(width, height, 'u8');
  const given = { source, target, width, height, size };
  // A band computes its size - 1 halo rows again, so it should be several times as high.
  const over = { rows: height, minimumBand: 4 * size + 60 };
  if (kernel === 'erode') yield* scope.kernels.erode(given, over);
  else if (kernel === 'dilate') yield* scope.kernels.dilate(given, over);
  else yield* scope.kernels.topHat(given, over);
  return target;
}

/** Dilation: the maximum of a square around each pixel. Samples outside the image are ignored. */
export const dilate = defineStage({
  name: 'image/dilate',
  params: morphologyParameters,
  inputs: ['u8'],
  outputs: ['u8'],
  tolerance: 0,
  *gpu(scope, [source], { size }) {
    return [morphologyGpu(scope, 'dilate', source, size)];
  },
  *wasm(scope, [source], { size }) {
    return [yield* runMorphology(scope, 'dilate', source, size)];
  },
});

/** Erosion: the minimum of a square around each pixel. Samples outside the image are ignored. */
export const erode = defineStage({
  name: 'image/erode',
  params: morphologyParameters,
  inputs: ['u8'],
  outputs: ['u8'],
  tolerance: 0,
  *gpu(scope, [source], { size }) {
    return [morphologyGpu(scope, 'erode', source, size)];
  },
  *wasm(scope, [source], { size }) {
    return [yield* runMorphology(scope, 'erode', source, size)];
  },
});

/** White top-hat, the source minus its opening: bright spots smaller than the square, such as corneal reflections. */
export const topHat = defineStage({
  name: 'image/top-hat',
  params: morphologyParameters,
  inputs: ['u8'],
  outputs: ['u8'],
  tolerance: 0,
  *gpu(scope, [source], { size }) {
    return [morphologyGpu(scope, 'topHat', source, size)];
  },
  *wasm(scope, [source], { size }) {
    return [yield* runMorphology(scope, 'topHat', source, size)];
  },
});
