/**
 * Preprocessing of whole frames (paper 000, section 2.1) by stages: reflection mask by top-hat, threshold and dilation,
 * interpolation of the reflections, Gaussian or median. The tiles on demand give the same bytes.
 */
import { dilate } from '../../image/dilate.ts';
import { gaussian } from '../../image/gaussian.ts';
import { median } from '../../image/median.ts';
import { threshold } from '../../image/threshold.ts';
import { topHat } from '../../image/top-hat.ts';
import type { Plan } from '../../runtime/wasm/kernel-step.ts';
import type { Plane } from '../../runtime/plane.ts';
import type { Scope } from '../../runtime/scope.ts';
import type { PupilValues } from '../parameters.ts';
import { fillReflections } from './fill-reflections.ts';

/** 255 where a corneal reflection is, or null without a reflection stage. */
function* reflectionMask(scope: Scope, source: Plane, values: PupilValues): Plan<Plane | null> {
  if (values.reflections === 'none') return null;
  const [hat] = yield* scope.run(topHat, [source], { size: values.reflectionSize });
  const [spots] = yield* scope.run(threshold, [hat], { level: values.reflectionThreshold, value: 255 });
  scope.free(hat);
  if (values.reflectionDilation === 1) return spots;
  const [mask] = yield* scope.run(dilate, [spots], { size: values.reflectionDilation });
  scope.free(spots);
  return mask;
}

/**
 * How far a filled pixel looks for its border. No single reflection is wider than kernel and dilation together; the
 * limit keeps a frame that is masked all over (noise) from costing width times as much.
 */
export const reflectionReach = (values: PupilValues): number => 2 * (values.reflectionSize + values.reflectionDilation);

/** How far from a pixel the reflection mask and the smoothing look. */
export function preparedMargin(values: PupilValues): number {
  const { reflections, reflectionSize, reflectionDilation, smoothing, medianSize, gaussianSize } = values;
  const mask = reflections === 'none' ? 0 : 2 * (reflectionSize >> 1) + (reflectionDilation >> 1);
  return mask + ((smoothing === 'median' ? medianSize : gaussianSize) >> 1);
}

/** Smoothed image and mask of a whole frame, on the arena; both belong to the scope. */
export function* prepareWholeFrame(
  scope: Scope,
  source: Plane,
  values: PupilValues,
): Plan<{ blurred: Plane; mask: Plane | null }> {
  let mask = yield* reflectionMask(scope, source, values);
  let clean = source;
  if (mask && values.reflections === 'interpolate') {
    [clean] = yield* scope.run(fillReflections, [source, mask], { reach: reflectionReach(values) });
    scope.free(mask);
    mask = null;
  }
  const [blurred] =
    values.smoothing === 'median'
      ? yield* scope.run(median, [clean], { size: values.medianSize })
      : yield* scope.run(gaussian, [clean], { size: values.gaussianSize, sigma: values.gaussianSigma });
  if (clean !== source) scope.free(clean);
  yield* scope.onArena(blurred);
  if (mask) yield* scope.onArena(mask);
  return { blurred, mask };
}
