import { type Reference, make, replicate, type ReferenceImage } from './image.ts';

/** The middle one of the sorted samples of the square, border replicated. */
export function median([source]: readonly ReferenceImage[], { size }: { size: number }): ReferenceImage[] {
  const r = (size - 1) / 2;
  return [
    make(source!.width, source!.height, 'u8', (x, y) => {
      const window = new Uint8Array(size * size);
      let n = 0;
      for (let j = -r; j <= r; j++) for (let i = -r; i <= r; i++) window[n++] = replicate(source!, x + i, y + j);
      return window.sort()[(n - 1) / 2]!;
    }),
  ];
}

/** By the names of the stages. */
export const references: Readonly<Record<string, Reference>> = {
  'image/median': median,
};
