import { gaussian } from './gaussian.ts';
import { gradient } from './gradient.ts';
import { type Reference, make, replicate, type ReferenceImage } from './image.ts';

type Parameters = {
  low: number;
  high: number;
  norm: 'L1' | 'L2';
  sigma: number;
  size: number;
  thresholds: 'given' | 'auto';
  derivative: 'sobel' | 'gaussian';
  hysteresis: string;
};

/** Derivative of Gaussian, sigma 1, as integer taps at the distances 1, 2 and 3. */
function derivatives(source: ReferenceImage): ReferenceImage[] {
  const { width, height } = source;
  const taps = [0, 43, 19, 2];
  const along = (at: (i: number) => number) => [1, 2, 3].reduce((sum, i) => sum + taps[i]! * (at(i) - at(-i)), 0);
  return [
    make(width, height, 'i16', (x, y) => along((i) => replicate(source, x + i, y))),
    make(width, height, 'i16', (x, y) => along((i) => replicate(source, x, y + i))),
  ];
}

/** Whole part of the magnitude, in single precision as the counts of magnitudes are defined. */
const whole = (dx: number, dy: number, norm: string) =>
  norm === 'L1' ? Math.abs(dx) + Math.abs(dy) : Math.floor(Math.fround(Math.sqrt(Math.fround(dx * dx + dy * dy))));

/** The smallest whole number that is above 80 % of the values. */
function eightyPercent(values: readonly number[]): number {
  let t = 0;
  while (10 * values.filter((v) => v < t).length < 8 * values.length) t++;
  return t;
}

/** Canny's rule pixel by pixel, hysteresis by looking at the whole image until nothing changes. */
export function canny([given]: readonly ReferenceImage[], params: Parameters): ReferenceImage[] {
  const source = params.sigma > 0 ? gaussian([given!], params)[0]! : given!;
  const { width, height } = source;
  const [dx, dy] = params.derivative === 'sobel' ? gradient([source], { derivative: 'sobel' }) : derivatives(source);
  const inside = (x: number, y: number) => x >= 0 && y >= 0 && x < width && y < height;
  const at = (plane: ReferenceImage, x: number, y: number) => (inside(x, y) ? plane.data[y * width + x]! : 0);
  const magnitude = (x: number, y: number) => {
    const [gx, gy] = [at(dx!, x, y), at(dy!, x, y)];
    return params.norm === 'L1' ? Math.abs(gx) + Math.abs(gy) : gx * gx + gy * gy;
  };

  const magnitudes = Array.from(dx!.data, (gx, i) => whole(gx, dy!.data[i]!, params.norm));
  const largest = magnitudes.reduce((a, b) => Math.max(a, b), 0);
  const normalize = params.derivative === 'gaussian';
  let [low, high] = [Math.min(params.low, params.high), Math.max(params.low, params.high)];
  if (params.thresholds === 'auto') {
    high = eightyPercent(normalize ? magnitudes.map((m) => Math.floor((m * 255) / Math.max(1, largest))) : magnitudes);
    low = 0.4 * high;
  }
  const level = (value: number) => {
    const scaled = Math.min(32767, normalize ? value * (largest / 255) : value);
    return Math.floor(params.norm === 'L2' ? scaled * scaled : scaled);
  };
  low = level(low);
  high = level(high);

  const marks = make(width, height, 'u8', (x, y) => {
    const m = magnitude(x, y);
    if (m <= low) return 0;
    const [gx, gy] = [at(dx!, x, y), at(dy!, x, y)];
    const [ax, ay] = [Math.abs(gx), Math.abs(gy)];
    let kept: boolean;
    if (ay * 32768 < ax * 13573) kept = m > magnitude(x - 1, y) && m >= magnitude(x + 1, y);
    else if (ay * 32768 > ax * (13573 + 65536)) kept = m > magnitude(x, y - 1) && m >= magnitude(x, y + 1);
    else {
      const s = gx < 0 !== gy < 0 ? -1 : 1;
      kept = m > magnitude(x - s, y - 1) && m > magnitude(x + s, y + 1);
    }
    return kept ? (m > high ? 2 : 1) : 0;
  });
  for (let changed = params.hysteresis !== 'none'; changed;) {
    changed = false;
    for (let y = 0; y < height; y++)
      for (let x = 0; x < width; x++) {
        if (marks.data[y * width + x] !== 1) continue;
        for (const [i, j] of [
          [-1, -1],
          [0, -1],
          [1, -1],
          [-1, 0],
          [1, 0],
          [-1, 1],
          [0, 1],
          [1, 1],
        ] as const)
          if (at(marks, x + i, y + j) === 2) {
            marks.data[y * width + x] = 2;
            changed = true;
            break;
          }
      }
  }
  return [make(width, height, 'u8', (x, y) => (at(marks, x, y) === 2 ? 255 : 0))];
}

/** By the names of the stages. */
export const references: Readonly<Record<string, Reference>> = {
  'edges/canny': canny,
};
