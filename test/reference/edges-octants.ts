import { type Reference, make, replicate, type ReferenceImage } from './image.ts';

/** Bits of the directions, multiples of 45 degrees, that are next to the Sobel gradient's; edges alone. */
export function edgeOctants([image, edges]: readonly ReferenceImage[]): ReferenceImage[] {
  const { width, height } = edges!;
  return [
    make(width, height, 'u8', (x, y) => {
      let [dx, dy] = [0, 0];
      for (const k of [-1, 0, 1]) {
        const weight = k === 0 ? 2 : 1;
        dx += weight * (replicate(image!, x + 1, y + k) - replicate(image!, x - 1, y + k));
        dy += weight * (replicate(image!, x + k, y + 1) - replicate(image!, x + k, y - 1));
      }
      if (!edges!.data[y * width + x] || (!dx && !dy)) return 0;
      const eighths = Math.atan2(dy, dx) / (Math.PI / 4);
      const below = Math.floor(Math.round(eighths * 1e9) / 1e9) & 7;
      return (1 << below) | (1 << ((below + 1) & 7));
    }),
  ];
}

/** By the names of the stages. */
export const references: Readonly<Record<string, Reference>> = {
  'edges/octants': edgeOctants,
};
