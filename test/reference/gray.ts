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

/** U and V of every two by two pixels, side by side. */
export function chromaPlane([rgba]: readonly ReferenceImage[]): ReferenceImage[] {
  const { width, height, data } = rgba!;
  const weights = [
    [-38, -74, 112],
    [112, -94, -18],
  ] as const;
  return [
    make(Math.max(1, 2 * (width >> 1)), Math.max(1, height >> 1), 'u8', (x, y) => {
      if (Math.min(width, height) < 2) return 128;
      let sum = 512;
      for (const i of [0, 1, width, width + 1])
        for (const [c, weight] of weights[x & 1]!.entries())
          sum += weight * data[4 * (2 * y * width + 2 * (x >> 1) + i) + c]!;
      return 128 + (sum >> 10);
    }),
  ];
}

/** By the names of the stages. */
export const references: Readonly<Record<string, Reference>> = {
  'image/gray': gray,
  'image/luma-range': lumaRange,
  'image/chroma-plane': chromaPlane,
};
