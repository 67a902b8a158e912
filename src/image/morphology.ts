/** What erosion, dilation and top-hat share. */
import type { Plan } from '../runtime/wasm/kernel-step.ts';
import { number } from '../runtime/parameters.ts';
import type { Plane } from '../runtime/plane.ts';
import type { Scope } from '../runtime/scope.ts';

/** Largest side of the rectangle. */
export const maximumSize = 63;

export const morphologyParameters = {
  size: number({
    default: 19,
    min: 1,
    max: maximumSize,
    values: Array.from({ length: (maximumSize + 1) / 2 }, (_, i) => 2 * i + 1),
    unit: 'px',
    effect: 'Side of the square; structures narrower than it disappear.',
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
