/**
 * Preprocessing of whole frames (paper 000, section 2.1) by the image stages: reflection mask by top-hat, threshold and
 * dilation, interpolation of the reflections, Gaussian or median. The tiles on demand give the same bytes.
 */
import { dilate } from '../../image/dilate.ts';
import { gaussian } from '../../image/gaussian.ts';
import { median } from '../../image/median.ts';
import { threshold } from '../../image/threshold.ts';
import { topHat } from '../../image/top-hat.ts';
import type { Plane } from '../../runtime/plane.ts';
import type { WasmSide } from '../../runtime/wasm-side.ts';
import type { PupilValues } from '../parameters.ts';

/** 255 where a corneal reflection is, or null without a reflection stage. */
export function reflectionMask(side: WasmSide, source: Plane, values: PupilValues): Plane | null {
  if (values.reflections === 'none') return null;
  const [hat] = side.now((scope) => topHat.wasm(scope, [source], { size: values.reflectionSize }));
  const [spots] = side.now((scope) => threshold.wasm(scope, [hat!], { level: values.reflectionThreshold, value: 255 }));
  hat!.dispose();
  if (values.reflectionDilation === 1) return spots!;
  const [mask] = side.now((scope) => dilate.wasm(scope, [spots!], { size: values.reflectionDilation }));
  spots!.dispose();
  return mask!;
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

/** The image with its reflections filled from their borders, at most `reach` pixels away. */
export function interpolateReflections(side: WasmSide, source: Plane, mask: Plane, reach: number): Plane {
  const { width, height } = source;
  const out = side.plane(width, height, 'u8');
  const images = [source.address, source.stride, mask.address, mask.stride, out.address, out.stride];
  side.bands('fillReflections', height, [...images, width, height, reach], {
    scratch: side.kernels.evaluate('fillReflectionsScratch', width),
    minimumBand: 64,
  });
  return out;
}

/** Smoothed image and mask of a whole frame; the caller disposes of both. */
export function prepareWholeFrame(
  side: WasmSide,
  source: Plane,
  values: PupilValues,
): { blurred: Plane; mask: Plane | null } {
  return side.guarded(() => {
    let mask = reflectionMask(side, source, values);
    let clean = source;
    if (mask && values.reflections === 'interpolate') {
      clean = interpolateReflections(side, source, mask, reflectionReach(values));
      mask.dispose();
      mask = null;
    }
    const [blurred] =
      values.smoothing === 'median'
        ? side.now((scope) => median.wasm(scope, [clean], { size: values.medianSize }))
        : side.now((scope) =>
            gaussian.wasm(scope, [clean], { size: values.gaussianSize, sigma: values.gaussianSigma }),
          );
    if (clean !== source) clean.dispose();
    return { blurred: blurred!, mask };
  });
}

/** 255 - level: a bright pupil becomes a dark one. The caller disposes of it. */
export function inverted(side: WasmSide, source: Plane): Plane {
  const { width, height } = source;
  const out = side.plane(width, height, 'u8');
  side.bands('invertLevels', height, [source.address, source.stride, out.address, out.stride, width]);
  return out;
}
