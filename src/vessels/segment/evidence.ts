/** What tells a fundus photograph from other pictures: the shape of its field, and that its lines are dark ones. */
import type { Plane } from '../../runtime/plane.ts';
import type { Scope } from '../../runtime/scope.ts';

// Chosen by hand on the fifteen photographs and the other pictures of `npm run bench -- accuracy vessels`.

/** Samples along one side of the plane. */
const SAMPLES = 96;
/** Distance over which second differences are taken, at DRIVE's scale: that of a thick vessel from its surroundings. */
const REACH = 6;
/** Share of the samples below what counts as the strength of lines. */
const STRENGTH = 0.98;

export interface Contrasts {
  /** How much stronger dark lines are than bright ones, by second differences in four directions. */
  readonly darkness: number;
  /** Median of the absolute contrast, in percent of the background. */
  readonly spread: number;
  /** Strength of dark lines over that of those twice as wide: those of the retina are as strong, where nothing blurs them. */
  readonly sharpness: number;
}

/** Of the first `count`; sorts them. */
function quantile(values: Float32Array, count: number, share: number): number {
  const sorted = values.subarray(0, count).sort();
  return sorted[Math.floor(share * (count - 1))] ?? 0;
}

/** Of the contrast plane under the mask; `unit`: working pixels of a pixel at DRIVE's scale. */
export function contrastsOf(
  scope: Scope,
  { contrast, inside, width, height }: { contrast: Plane; inside: Plane; width: number; height: number },
  unit: number,
): Contrasts {
  const { f32, u8 } = scope.arena;
  const reach = Math.max(1, Math.round(REACH * unit));
  const diagonal = Math.max(1, Math.round((REACH * unit) / Math.SQRT2));
  const step = Math.max(1, Math.floor(Math.max(width, height) / SAMPLES));
  const row = contrast.stride >> 2;
  const offsets = [reach, reach * row, diagonal * (row + 1), diagonal * (row - 1)];
  const [dark, bright, sizes, wide] = Array.from(
    { length: 4 },
    () => new Float32Array(Math.ceil(width / step) * Math.ceil(height / step)),
  ) as [Float32Array, Float32Array, Float32Array, Float32Array];
  let count = 0;
  for (let y = reach; y < height - reach; y += step)
    for (let x = reach; x < width - reach; x += step) {
      if (!u8[inside.address + y * inside.stride + x]) continue;
      const p = (contrast.address >> 2) + y * row + x;
      const center = f32[p]!;
      let [most, least] = [0, 0];
      for (const o of offsets) {
        const second = f32[p + o]! + f32[p - o]! - 2 * center;
        most = Math.max(most, second);
        least = Math.min(least, second);
      }
      dark[count] = most;
      bright[count] = -least;
      sizes[count++] = Math.abs(center);
    }
  let far = 0;
  for (let y = 2 * reach; y < height - 2 * reach; y += 2 * step)
    for (let x = 2 * reach; x < width - 2 * reach; x += 2 * step) {
      if (!u8[inside.address + y * inside.stride + x]) continue;
      const p = (contrast.address >> 2) + y * row + x;
      let most = 0;
      for (const o of offsets) most = Math.max(most, f32[p + 2 * o]! + f32[p - 2 * o]! - 2 * f32[p]!);
      wide[far++] = most;
    }
  const [strong, weakest] = [quantile(dark, count, STRENGTH), quantile(bright, count, STRENGTH)];
  const widest = quantile(wide, far, STRENGTH);
  return {
    darkness: weakest > 0 ? strong / weakest : 0,
    spread: quantile(sizes, count, 0.5),
    sharpness: widest > 0 ? strong / widest : 1,
  };
}

/** Share of its convex hull that a mask fills: 1 for circles, cut circles and rectangles. */
export function solidity(mask: Float32Array, width: number, height: number): number {
  let area = 0;
  const points: [number, number][] = [];
  for (let y = 0; y < height; y++) {
    let [first, last] = [-1, -1];
    for (let x = 0; x < width; x++)
      if (mask[y * width + x]) {
        area++;
        if (first < 0) first = x;
        last = x;
      }
    // Corners of the cells, so that hull and cells measure the same area.
    if (first >= 0) for (const v of [y, y + 1]) points.push([first, v], [last + 1, v]);
  }
  points.sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  const chain = (list: [number, number][]) => {
    const hull: [number, number][] = [];
    for (const p of list) {
      while (hull.length > 1) {
        const [a, b] = [hull.at(-2)!, hull.at(-1)!];
        if ((b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0]) > 0) break;
        hull.pop();
      }
      hull.push(p);
    }
    return hull.slice(0, -1);
  };
  const hull = [...chain(points), ...chain(points.reverse())];
  let twice = 0;
  hull.forEach(([x, y], i) => {
    const [u, v] = hull[(i + 1) % hull.length]!;
    twice += x * v - u * y;
  });
  return twice ? Math.min(1, (2 * area) / Math.abs(twice)) : 0;
}
