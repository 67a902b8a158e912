import { type Reference, make, replicate, type ReferenceImage } from './image.ts';

/** The whole integer kernel: outer taps first, each rounded to even after adding what the one before lost. */
export function gaussianKernel(size: number, sigma: number): number[] {
  const r = (size - 1) / 2;
  const exact = Array.from({ length: size }, (_, i) => Math.exp(-((i - r) ** 2) / (2 * sigma ** 2)));
  const sum = exact.reduce((a, b) => a + b);
  const kernel = exact.map(() => 0);
  let error = 0;
  for (let i = 0; i < r; i++) {
    const v = (256 * exact[i]!) / sum + error;
    const near = Math.round(v);
    kernel[i] = kernel[size - 1 - i] = Math.abs(v - Math.trunc(v)) === 0.5 ? 2 * Math.round(v / 2) : near;
    error = v - kernel[i]!;
  }
  kernel[r] = 256 - 2 * kernel.slice(0, r).reduce((a, b) => a + b, 0);
  return kernel;
}

/** (sum_y q_y sum_x q_x src + 32768) >> 16, border replicated. */
export function gaussian(
  [source]: readonly ReferenceImage[],
  { size, sigma }: { size: number; sigma: number },
): ReferenceImage[] {
  const q = gaussianKernel(size, sigma);
  const r = (size - 1) / 2;
  return [
    make(source!.width, source!.height, 'u8', (x, y) => {
      let sum = 0;
      for (let j = -r; j <= r; j++)
        for (let i = -r; i <= r; i++) sum += q[j + r]! * q[i + r]! * replicate(source!, x + i, y + j);
      return (sum + 32768) >> 16;
    }),
  ];
}

/** By the names of the stages. */
export const references: Readonly<Record<string, Reference>> = {
  'image/gaussian': gaussian,
};
