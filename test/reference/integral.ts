import { type Reference, make, type ReferenceImage } from './image.ts';

/** Sums over all samples above and to the left, in exact arithmetic, then modulo 2^32 (by the 32-bit array). */
function sums(source: ReferenceImage, value: (v: number) => number): ReferenceImage {
  const { width, height, data } = source;
  const exact = Array.from({ length: height + 1 }, () => new Float64Array(width + 1));
  for (let y = 1; y <= height; y++)
    for (let x = 1; x <= width; x++)
      exact[y]![x] =
        exact[y - 1]![x]! + exact[y]![x - 1]! - exact[y - 1]![x - 1]! + value(data[(y - 1) * width + x - 1]!);
  return make(width + 1, height + 1, 'u32', (x, y) => exact[y]![x]! % 2 ** 32);
}

export const integral = ([source]: readonly ReferenceImage[]): ReferenceImage[] => [sums(source!, (v) => v)];

export const integralSquares = ([source]: readonly ReferenceImage[]): ReferenceImage[] => [
  sums(source!, (v) => (v - 128) ** 2),
];

/** By the names of the stages. */
export const references: Readonly<Record<string, Reference>> = {
  'image/integral': integral,
  'image/integral-squares': integralSquares,
};
