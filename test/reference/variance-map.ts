import { type Reference, make, type ReferenceImage } from './image.ts';

/** From the pixels of each window's inner rectangle, in whole numbers, rounded to a float after each step. */
export function varianceMap(
  [source]: readonly ReferenceImage[],
  { width, height }: { width: number; height: number },
): ReferenceImage[] {
  const { width: w, height: h, data } = source!;
  const n = (width - 2) * (height - 2);
  return [
    make(w, h, 'f32', (x, y) => {
      if (x + width > w || y + height > h) return 0;
      let [sum, square] = [0, 0];
      for (let j = y + 1; j < y + height - 1; j++)
        for (let i = x + 1; i < x + width - 1; i++) {
          sum += data[j * w + i]!;
          square += data[j * w + i]! ** 2;
        }
      // Area^2 times the variance.
      const variance = n * square - sum * sum;
      if (Math.fround(variance) <= 100 * n * n) return 0;
      return Math.fround(1 / Math.fround(Math.sqrt(Math.fround(variance))));
    }),
  ];
}

/** By the names of the stages. */
export const references: Readonly<Record<string, Reference>> = {
  'faces/variance-map': varianceMap as Reference,
};
