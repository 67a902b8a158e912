import { type Reference, replicate, type ReferenceImage } from './image.ts';

type Params = { sigma: number; derivative: 'gaussian' | 'sobel' | 'gradients' };

type Samples = (x: number, y: number) => number;

/** Samples of any function on the image, outside of it those of its border. */
function table(width: number, height: number, of: Samples): Samples {
  const data = Float64Array.from({ length: width * height }, (_, i) => of(i % width, Math.floor(i / width)));
  return (x, y) => data[Math.min(Math.max(y, 0), height - 1) * width + Math.min(Math.max(x, 0), width - 1)]!;
}

/** Gaussian in float64, of gray 0..1. */
export function smooth(source: ReferenceImage, sigma: number, r = Math.ceil(3 * sigma)): Samples {
  const { width, height } = source;
  const weights = Array.from({ length: 2 * r + 1 }, (_, i) => Math.exp(-((i - r) ** 2) / (2 * sigma * sigma)));
  const total = weights.reduce((a, b) => a + b);
  const down = table(width, height, (x, y) =>
    weights.reduce((s, w, i) => s + (w / total) * (replicate(source, x, y + i - r) / 255), 0),
  );
  return table(width, height, (x, y) => weights.reduce((s, w, i) => s + (w / total) * down(x + i - r, y), 0));
}

/** numpy.gradient, literally: central in the middle, to the one neighbor at the ends, 0 where there is none. */
function gradient(n: number, of: (i: number) => number, i: number): number {
  if (n === 1) return 0;
  if (i === 0) return of(1) - of(0);
  if (i === n - 1) return of(n - 1) - of(n - 2);
  return (of(i + 1) - of(i - 1)) / 2;
}

/** IH, IV and ID of the three channels. */
export function secondDerivatives(source: ReferenceImage, { sigma, derivative }: Params): [Samples, Samples, Samples] {
  const { width, height } = source;
  if (derivative === 'gaussian') {
    const l = smooth(source, sigma);
    return [
      (x, y) => l(x + 1, y) - 2 * l(x, y) + l(x - 1, y),
      (x, y) => l(x, y + 1) - 2 * l(x, y) + l(x, y - 1),
      (x, y) => (l(x + 1, y + 1) - l(x - 1, y + 1) - l(x + 1, y - 1) + l(x - 1, y - 1)) / 4,
    ];
  }
  if (derivative === 'gradients') {
    const l = smooth(source, sigma, Math.floor(4 * sigma + 0.5));
    const across = (of: Samples) => table(width, height, (x, y) => gradient(width, (i) => of(i, y), x));
    const down = (of: Samples) => table(width, height, (x, y) => gradient(height, (i) => of(x, i), y));
    return [across(across(l)), down(down(l)), down(across(l))];
  }
  // Literally twice: sums of 3x3 over sums of 3x3 of the image continued by its border.
  const sobel = (of: Samples, mask: readonly number[]): Samples => {
    return (x, y) => mask.reduce((sum, w, i) => sum + (w / 8) * of(x + (i % 3) - 1, y + Math.floor(i / 3) - 1), 0);
  };
  const across = [-1, 0, 1, -2, 0, 2, -1, 0, 1];
  const down = [-1, -2, -1, 0, 0, 0, 1, 2, 1];
  const level = (x: number, y: number) => replicate(source, x, y) / 255;
  return [sobel(sobel(level, across), across), sobel(sobel(level, down), down), sobel(sobel(level, across), down)];
}

/** Ascending eigenvalues by Jacobi's rotation, which is not the formula of the kernels. */
export function eigenvalues(a: number, b: number, c: number): [number, number] {
  if (b === 0) return a <= c ? [a, c] : [c, a];
  const theta = (c - a) / (2 * b);
  const t = Math.sign(theta || 1) / (Math.abs(theta) + Math.hypot(theta, 1));
  const [p, q] = [a - t * b, c + t * b];
  return p <= q ? [p, q] : [q, p];
}

/**
 * Both eigenvalues, row by row: ascending, or the one of the smaller magnitude first. Then NaN where the two magnitudes
 * are so near to each other that rounding decides which comes first.
 */
export function hessian(
  [source]: readonly ReferenceImage[],
  { order, ...params }: Params & { order: 'value' | 'magnitude' },
): Float32Array[] {
  const { width, height } = source!;
  const [h, v, d] = secondDerivatives(source!, params);
  const lists = [new Float32Array(width * height), new Float32Array(width * height)] as const;
  for (let i = 0; i < width * height; i++) {
    const [x, y] = [i % width, Math.floor(i / width)];
    const [low, high] = eigenvalues(h(x, y), d(x, y), v(x, y));
    const open = order === 'magnitude' && Math.abs(low + high) < 4e-6 && high - low > 1e-6;
    const [first, second] = order === 'value' || Math.abs(low) <= Math.abs(high) ? [low, high] : [high, low];
    lists[0][i] = open ? NaN : first;
    lists[1][i] = open ? NaN : second;
  }
  return [...lists];
}

/** By the names of the stages. */
export const references: Readonly<Record<string, Reference>> = {
  'vessels/hessian': hessian as Reference,
};
