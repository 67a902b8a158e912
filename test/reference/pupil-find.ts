/** The pupil of a drawn image, the obvious way: a dark disc on a bright ground, measured by its area. */
import type { Reference, ReferenceImage } from './image.ts';
import { fillReflections } from './pupil-fill-reflections.ts';

/** Levels below are the disc's: half way between disc and ground. */
const HALF = 77;

/** 1, center and radius, or 0 and NaN where nothing is dark. Pixels on the border count by their level. */
export function drawnPupil({ width, height, data }: ReferenceImage): Float32Array {
  let [area, sumX, sumY] = [0, 0, 0];
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      if (data[y * width + x]! > HALF) continue;
      area++;
      sumX += x;
      sumY += y;
    }
  return area
    ? Float32Array.of(1, sumX / area, sumY / area, Math.sqrt(area / Math.PI))
    : Float32Array.of(0, NaN, NaN, NaN);
}

const found = ([image]: readonly unknown[]) => [drawnPupil(image as ReferenceImage)];

export const references: Readonly<Record<string, Reference>> = {
  'pupil/robust': found,
  'pupil/starburst': found,
  'pupil/threshold': found,
  'pupil/hough': found,
  'pupil/spread': ([image], { from, gain, base }) => {
    const { width, height, data } = image as ReferenceImage;
    const times = Math.round(16 * (gain as number)) / 16;
    const level = (v: number) => Math.floor((base as number) + times * (v - (from as number)) + 0.5);
    return [{ width, height, format: 'u8', data: new Uint8Array(Uint8ClampedArray.from(data, level)) }];
  },
  'pupil/fill-reflections': ([image, mask], { reach }) => {
    const { width, height, data } = image as ReferenceImage;
    const filled = fillReflections(
      { width, height, data: data as Uint8Array },
      (mask as ReferenceImage).data as Uint8Array,
      reach as number,
      true,
    );
    return [{ width, height, format: 'u8', data: Uint8Array.from(filled, Math.round) }];
  },
};
