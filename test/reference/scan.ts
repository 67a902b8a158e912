import { type Reference, make, type ReferenceImage } from './image.ts';

/** Sums in row-major order, modulo 2^32. */
export function scan([source]: readonly ReferenceImage[], { inclusive }: { inclusive: boolean }): ReferenceImage[] {
  let before = 0;
  return [
    make(source!.width, source!.height, 'u32', (x, y) => {
      const after = (before + source!.data[y * source!.width + x]!) >>> 0;
      const result = inclusive ? after : before;
      before = after;
      return result;
    }),
  ];
}

/** Indices of the samples above the level, then 0xffffffff; and how many there are. */
export function compact([source]: readonly ReferenceImage[], { level }: { level: number }): ReferenceImage[] {
  const { width, height, data } = source!;
  const list: number[] = [];
  data.forEach((v, i) => v > level && list.push(i));
  return [
    make(width, height, 'u32', (x, y) => list[y * width + x] ?? 0xffffffff),
    make(1, 1, 'u32', () => list.length),
  ];
}

/** By the names of the stages. */
export const references: Readonly<Record<string, Reference>> = {
  'image/scan': scan,
  'image/scan-32': scan,
  'image/compact': compact,
};
