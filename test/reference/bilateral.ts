import { type Reference, make, replicate, type ReferenceImage } from './image.ts';

type Params = { size: number; sigmaColor: number; sigmaSpace: number };

/** Mean weighted by two bells, one of distance and one of difference, each rounded to 255ths; halves are rounded up. */
export function bilateral(
  [source]: readonly ReferenceImage[],
  { size, sigmaColor, sigmaSpace }: Params,
): ReferenceImage[] {
  const r = (size - 1) / 2;
  const bell = (squared: number, sigma: number) => Math.round(255 * Math.exp(-squared / (2 * sigma ** 2)));
  const difference = Array.from({ length: 256 }, (_, d) => bell(d * d, sigmaColor));
  return [
    make(source!.width, source!.height, 'u8', (x, y) => {
      const middle = replicate(source!, x, y);
      let [weights, sum] = [0, 0];
      for (let j = -r; j <= r; j++)
        for (let i = -r; i <= r; i++) {
          const v = replicate(source!, x + i, y + j);
          const w = bell(i * i + j * j, sigmaSpace) * difference[Math.abs(v - middle)]!;
          weights += w;
          sum += w * v;
        }
      return Math.floor(sum / weights + 0.5);
    }),
  ];
}

/** By the names of the stages. */
export const references: Readonly<Record<string, Reference>> = {
  'image/bilateral': bilateral,
};
