import { type Reference, make, type ReferenceImage } from './image.ts';

function extreme(source: ReferenceImage, size: number, pick: (a: number, b: number) => number): ReferenceImage {
  const { width, height, data } = source;
  const r = (size - 1) / 2;
  return make(width, height, 'u8', (x, y) => {
    let best = data[y * width + x]!;
    for (let j = Math.max(0, y - r); j <= Math.min(height - 1, y + r); j++)
      for (let i = Math.max(0, x - r); i <= Math.min(width - 1, x + r); i++) best = pick(best, data[j * width + i]!);
    return best;
  });
}

export const erode = ([source]: readonly ReferenceImage[], { size }: { size: number }): ReferenceImage[] => [
  extreme(source!, size, Math.min),
];

export const dilate = ([source]: readonly ReferenceImage[], { size }: { size: number }): ReferenceImage[] => [
  extreme(source!, size, Math.max),
];

export function topHat([source]: readonly ReferenceImage[], { size }: { size: number }): ReferenceImage[] {
  const { width, height, data } = source!;
  const open = extreme(extreme(source!, size, Math.min), size, Math.max).data;
  return [make(width, height, 'u8', (x, y) => data[y * width + x]! - open[y * width + x]!)];
}

/** By the names of the stages. */
export const references: Readonly<Record<string, Reference>> = {
  'image/erode': erode,
  'image/dilate': dilate,
  'image/top-hat': topHat,
};
