import { type Reference, make, type ReferenceImage } from './image.ts';

export function threshold(
  [source]: readonly ReferenceImage[],
  { level, value }: { level: number; value: number },
): ReferenceImage[] {
  const { width, height, data } = source!;
  return [make(width, height, 'u8', (x, y) => (data[y * width + x]! > level ? value : 0))];
}

/** 255 where a map is above the level, which a float holds. */
export function above([source]: readonly ReferenceImage[], { mapLevel }: { mapLevel: number }): ReferenceImage[] {
  const { width, height, data } = source!;
  return [make(width, height, 'u8', (x, y) => (data[y * width + x]! > Math.fround(mapLevel) ? 255 : 0))];
}

/** By the names of the stages. */
export const references: Readonly<Record<string, Reference>> = {
  'image/threshold': threshold,
  'image/above': above as Reference,
};
