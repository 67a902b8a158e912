/**
 * Exemplar-based inpainting, slow and obvious: every term from its definition, every candidate in full. Integers as the
 * sides have them: confidence in units of 2^-31, data in units of 1 / (2 * 255 * 2^21).
 */
import { roundEven } from '../../src/image/numbers.ts';
import { type Reference, clamp, make, type ReferenceImage } from './image.ts';

export interface Picture {
  width: number;
  height: number;
  /** RGBA. */
  data: Uint8Array;
  /** True where to be filled. */
  hole: boolean[];
  /** In units of 2^-31. */
  confidence: number[];
}

const inside = ({ width, height }: Picture, x: number, y: number) => x >= 0 && y >= 0 && x < width && y < height;
const known = (p: Picture, x: number, y: number) => inside(p, x, y) && !p.hole[y * p.width + x];

function gray({ data, width }: Picture, x: number, y: number): number {
  const [r, g, b] = data.subarray(4 * (y * width + x)) as unknown as [number, number, number];
  return (9798 * r + 19235 * g + 3735 * b + 16384) >> 15;
}

/** The pixels of the patch around (x, y) that the image has. */
export function patchAround(p: Picture, x: number, y: number, patch: number) {
  const half = (patch - 1) / 2;
  const left = Math.max(0, x - half);
  const top = Math.max(0, y - half);
  return {
    x: left,
    y: top,
    columns: Math.min(p.width - 1, x + half) - left + 1,
    rows: Math.min(p.height - 1, y + half) - top + 1,
  };
}

export function confidenceOf(p: Picture, cx: number, cy: number, patch: number): number {
  const { x, y, columns, rows } = patchAround(p, cx, cy, patch);
  let sum = 0;
  for (let j = y; j < y + rows; j++) for (let i = x; i < x + columns; i++) sum += p.confidence[j * p.width + i]!;
  return Math.max(1, Math.floor(sum / (columns * rows)));
}

/** Isophote of the strongest gradient in the patch against the normal of the front. */
export function dataOf(p: Picture, cx: number, cy: number, patch: number): number {
  const { x, y, columns, rows } = patchAround(p, cx, cy, patch);
  let [gx, gy] = [0, 0];
  for (let j = y; j < y + rows; j++)
    for (let i = x; i < x + columns; i++) {
      const cross = [
        [0, 0],
        [1, 0],
        [-1, 0],
        [0, 1],
        [0, -1],
      ] as const;
      if (!cross.every(([dx, dy]) => known(p, i + dx, j + dy))) continue;
      const dx = gray(p, i + 1, j) - gray(p, i - 1, j);
      const dy = gray(p, i, j + 1) - gray(p, i, j - 1);
      if (dx ** 2 + dy ** 2 > gx ** 2 + gy ** 2) [gx, gy] = [dx, dy];
    }
  const hole = (i: number, j: number) =>
    p.hole[clamp(j, 0, p.height - 1) * p.width + clamp(i, 0, p.width - 1)] ? 1 : 0;
  let [nx, ny] = [0, 0];
  for (const t of [-1, 0, 1]) {
    nx += (2 - Math.abs(t)) * (hole(cx + 1, cy + t) - hole(cx - 1, cy + t));
    ny += (2 - Math.abs(t)) * (hole(cx + t, cy + 1) - hole(cx + t, cy - 1));
  }
  if (!nx && !ny) return 0;
  return Math.abs(-gy * nx + gx * ny) * Math.round(2 ** 21 / Math.hypot(nx, ny));
}

/** Pixels of the hole with a known 4-neighbor. */
export const isFront = (p: Picture, x: number, y: number): boolean =>
  !known(p, x, y) && (known(p, x + 1, y) || known(p, x - 1, y) || known(p, x, y + 1) || known(p, x, y - 1));

/**
 * SSD of every candidate (first pixel anywhere, patch entirely in `source`'s known pixels), with `near` the penalty
 * known * d^2 / 128 added, rounded down; -1 where not allowed.
 */
export function distances(
  source: Picture,
  p: Picture,
  cx: number,
  cy: number,
  patch: number,
  near = false,
): Int32Array {
  const { width, height } = p;
  const { x, y, columns, rows } = patchAround(p, cx, cy, patch);
  const out = new Int32Array(width * height).fill(-1);
  for (let v = 0; v <= height - rows; v++)
    for (let u = 0; u <= width - columns; u++) {
      let ssd = 0;
      let count = 0;
      for (let j = 0; j < rows && ssd >= 0; j++)
        for (let i = 0; i < columns; i++) {
          if (!known(source, u + i, v + j)) {
            ssd = -1;
            break;
          }
          if (!known(p, x + i, y + j)) continue;
          count++;
          const a = 4 * ((v + j) * width + u + i);
          const b = 4 * ((y + j) * width + x + i);
          for (let c = 0; c < 3; c++) ssd += (source.data[a + c]! - p.data[b + c]!) ** 2;
        }
      if (near && ssd >= 0) ssd += Math.floor((count * Math.min((u - x) ** 2 + (v - y) ** 2, 2 ** 22 - 1)) / 128);
      out[v * width + u] = ssd;
    }
  return out;
}

/** Index of the least distance that is allowed, the first of equals; -1 where there is none. */
export function nearest(map: Int32Array): number {
  let best = -1;
  map.forEach((ssd, i) => {
    if (ssd >= 0 && (best < 0 || ssd < map[best]!)) best = i;
  });
  return best;
}

export function picture(source: { width: number; height: number; data: ArrayLike<number> }, mask: ArrayLike<number>) {
  const hole = Array.from(mask, (v) => v !== 0);
  return {
    width: source.width,
    height: source.height,
    data: Uint8Array.from(source.data),
    hole,
    confidence: hole.map((h) => (h ? 0 : 2 ** 31)),
  };
}

/** The next center: largest priority, where all are 0 largest confidence, the first of equals; -1 without a front. */
export function nextCenter(p: Picture, patch: number): number {
  let best = -1;
  let key = 0n;
  for (let i = 0; i < p.hole.length; i++) {
    const [x, y] = [i % p.width, Math.floor(i / p.width)];
    if (!isFront(p, x, y)) continue;
    const confidence = BigInt(confidenceOf(p, x, y, patch));
    const priority = confidence * BigInt(dataOf(p, x, y, patch));
    const k = priority ? priority + (1n << 32n) : confidence;
    if (k > key) [key, best] = [k, i];
  }
  return best;
}

/** The same, of candidates in the window around the patch alone where it has one. */
function nearestWithin(map: Int32Array, p: Picture, left: number, top: number, window: number): number {
  const inside = map.map((ssd, i) => {
    const far = Math.max(Math.abs((i % p.width) - left), Math.abs(Math.floor(i / p.width) - top));
    return window && far > Math.floor(window / 2) ? -1 : ssd;
  });
  const best = nearest(inside);
  return best < 0 ? nearest(map) : best;
}

/** Where a filled pixel came from: its pixel in the source, and the patch that it came with. */
interface Origin {
  from: number;
  x: number;
  y: number;
  columns: number;
  rows: number;
}

/**
 * Fills everything, with `near` by the penalized distance, without taking seams out; returns the picture's RGBA, the number
 * of patches, and where the pixels came from.
 */
export function inpaint(
  source: { width: number; height: number; data: ArrayLike<number> },
  mask: ArrayLike<number>,
  patch: number,
  near = false,
  window = 0,
): { data: Uint8Array; patches: number; origins: Map<number, Origin> } {
  const origins = new Map<number, Origin>();
  const original = picture(source, mask);
  const p = picture(source, mask);
  const { width } = p;
  let patches = 0;
  for (let center = nextCenter(p, patch); center >= 0; center = nextCenter(p, patch), patches++) {
    const [cx, cy] = [center % width, Math.floor(center / width)];
    const { x, y, columns, rows } = patchAround(p, cx, cy, patch);
    const from = nearestWithin(distances(original, p, cx, cy, patch, near), p, x, y, window);
    const confidence = confidenceOf(p, cx, cy, patch);
    for (let j = 0; j < rows; j++)
      for (let i = 0; i < columns; i++) {
        const to = (y + j) * width + x + i;
        if (!p.hole[to]) continue;
        const a = 4 * (from + j * width + i);
        p.data.set(original.data.subarray(a, a + 4), 4 * to);
        p.hole[to] = false;
        p.confidence[to] = confidence;
        origins.set(to, { from: from + j * width + i, x, y, columns, rows });
      }
  }
  return { data: p.data, patches, origins };
}

const f = Math.fround;

/** Takes the seams out, in single precision: see the equation in assembly/inpaint/blend.ts. */
function blended(source: ReferenceImage, filled: Uint8Array, origins: Map<number, Origin>): Uint8Array {
  const { width, height } = source;
  const has = ({ x, y, columns, rows }: Origin, u: number, v: number) =>
    u >= x && v >= y && u < x + columns && v < y + rows;
  const steps = [
    [-1, 0],
    [1, 0],
    [0, -1],
    [0, 1],
  ] as const;
  const out = filled.slice();
  for (const c of [0, 1, 2]) {
    const values = Float32Array.from({ length: width * height }, (_, i) => filled[4 * i + c]!);
    const constants = new Map<number, { sum: number; inverse: number }>();
    for (const [i, origin] of origins) {
      const [x, y] = [i % width, Math.floor(i / width)];
      let sum = f(values[i]! / 64);
      let weight = 1 / 64;
      for (const [dx, dy] of steps) {
        if (x + dx < 0 || y + dy < 0 || x + dx >= width || y + dy >= height) continue;
        weight += 1;
        const step = dy * width + dx;
        const other = origins.get(i + step);
        const at = (index: number) => source.data[4 * index + c]!;
        if (has(origin, x + dx, y + dy)) sum = f(sum + (at(origin.from) - at(origin.from + step)));
        else if (other && has(other, x, y)) sum = f(sum + (at(other.from - step) - at(other.from)));
        else sum = f(sum + (filled[4 * i + c]! - filled[4 * (i + step) + c]!));
      }
      constants.set(i, { sum, inverse: f(1 / weight) });
    }
    // Red and black as the frame around the box has them.
    const [left, top] = [0, 1].map((k) =>
      Math.max(0, Math.min(...[...origins.keys()].map((i) => (k ? Math.floor(i / width) : i % width))) - 1),
    );
    for (let half = 0; half < 120; half++)
      for (const [i, { sum, inverse }] of constants) {
        const [x, y] = [i % width, Math.floor(i / width)];
        if (((x - left! + y - top!) & 1) !== (half & 1)) continue;
        let total = sum;
        for (const [dx, dy] of steps)
          if (x + dx >= 0 && y + dy >= 0 && x + dx < width && y + dy < height)
            total = f(total + values[i + dy * width + dx]!);
        const old = values[i]!;
        values[i] = f(old + f(f(f(total * inverse) - old) * f(1.7)));
      }
    for (const i of origins.keys()) out[4 * i + c] = clamp(roundEven(values[i]!), 0, 255);
  }
  return out;
}

/** Stage inpaint/fill. */
export function inpaintFill(
  [source, mask]: readonly ReferenceImage[],
  { patch, searchWindow, variant }: { patch: number; searchWindow: number; variant: string },
): ReferenceImage[] {
  const seamless = variant === 'seamless';
  const { data, origins } = inpaint(source!, mask!.data, patch, seamless, searchWindow);
  return [{ ...source!, data: seamless && origins.size ? blended(source!, data, origins) : data }];
}

/** Stage inpaint/terms: confidence and data term of the front, 0 elsewhere. */
export function inpaintTerms(
  [source, mask]: readonly ReferenceImage[],
  { patch }: { patch: number },
): ReferenceImage[] {
  const p = picture(source!, mask!.data);
  const term = (of: typeof dataOf) =>
    make(p.width, p.height, 'u32', (x, y) => (isFront(p, x, y) ? of(p, x, y, patch) : 0));
  return [term(confidenceOf), term(dataOf)];
}

/** Stage inpaint/match: x, y and SSD of the best match of the patch around (x, y); -1, -1, -1 where there is none. */
export function inpaintMatch(
  [source, mask]: readonly ReferenceImage[],
  { patch, x, y, near }: { patch: number; x: number; y: number; near: boolean },
): ReferenceImage[] {
  const p = picture(source!, mask!.data);
  const map = distances(p, p, Math.min(x, p.width - 1), Math.min(y, p.height - 1), patch, near);
  const best = nearest(map);
  const answer = best < 0 ? [-1, -1, -1] : [best % p.width, Math.floor(best / p.width), map[best]!];
  return [make(3, 1, 'i32', (i) => answer[i]!)];
}

/** By the names of the stages. */
export const references: Readonly<Record<string, Reference>> = {
  'inpaint/fill': inpaintFill,
  'inpaint/terms': inpaintTerms,
  'inpaint/match': inpaintMatch,
};
