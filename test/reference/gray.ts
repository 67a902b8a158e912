import { type Reference, clamp, make, type ReferenceImage } from './image.ts';

/** (9798 R + 19235 G + 3735 B + 16384) >> 15. */
export function gray([rgba]: readonly ReferenceImage[]): ReferenceImage[] {
  const { width, height, data } = rgba!;
  return [
    make(width, height, 'u8', (x, y) => {
      const i = 4 * (y * width + x);
      return (9798 * data[i]! + 19235 * data[i + 1]! + 3735 * data[i + 2]! + 16384) >> 15;
    }),
  ];
}

/** (Y - 16) * 255 / 219, rounded, clamped to 0..255. */
export function lumaRange([luma]: readonly ReferenceImage[]): ReferenceImage[] {
  const { width, height, data } = luma!;
  return [make(width, height, 'u8', (x, y) => clamp(Math.round(((data[y * width + x]! - 16) * 255) / 219), 0, 255))];
}

/** By the names of the stages. */
export const references: Readonly<Record<string, Reference>> = {
  'image/gray': gray,
  'image/luma-range': lumaRange,
};
