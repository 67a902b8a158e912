import { type Reference, clamp, make, type ReferenceImage } from './image.ts';

/** (sum over 5x5 of w_i w_j src(2x + i, 2y + j) + 128) >> 8, w = 1 4 6 4 1. */
export function pyramidDown([source]: readonly ReferenceImage[], { border }: { border: string }): ReferenceImage[] {
  const { width, height, data } = source!;
  const w = [1, 4, 6, 4, 1];
  const index = (i: number, n: number) => {
    // Two samples have more than one reflection.
    if (border === 'reflect' && n > 1) while (i < 0 || i >= n) i = i < 0 ? -i : 2 * n - 2 - i;
    return clamp(i, 0, n - 1);
  };
  return [
    make((width + 1) >> 1, (height + 1) >> 1, 'u8', (x, y) => {
      let sum = 0;
      for (let j = -2; j <= 2; j++)
        for (let i = -2; i <= 2; i++)
          sum += w[i + 2]! * w[j + 2]! * data[index(2 * y + j, height) * width + index(2 * x + i, width)]!;
      return (sum + 128) >> 8;
    }),
  ];
}

/** A frame and its halvings, as flow takes them. */
export function levelsOf(
  frame: ReferenceImage,
  { window, levels }: { window: number; levels: number },
): ReferenceImage[] {
  const out = [frame];
  while (out.length <= levels) {
    const from = out[out.length - 1]!;
    if ((from.width + 1) >> 1 <= window || (from.height + 1) >> 1 <= window) break;
    out.push(pyramidDown([from], { border: 'reflect' })[0]!);
  }
  return out;
}

/** By the names of the stages. */
export const references: Readonly<Record<string, Reference>> = {
  'image/pyramid-down': pyramidDown,
};
