/**
 * Finds the iris of an eye with known lids: the disc inside the outline of the lids that explains most of its gray
 * values. Samples of the eye are on a grid along its corners. For every center, at every second sample, the correlation
 * of "inside the disc" with darkness is computed over the outline. The best one is refined. The idea is a fit of two
 * regions (Chan and Vese, IEEE Transactions on Image Processing 10(2), 2001) with one shape, a circle of the size of an
 * iris.
 */
import type { Plane } from '../runtime/plane.ts';
import type { Arena } from '../runtime/wasm/arena.ts';
import { defineStage } from '../runtime/stage.ts';

/** Gray pixels, row by row. */
export interface GrayView {
  readonly data: Uint8Array;
  readonly width: number;
  readonly height: number;
  /** Bytes between two rows. */
  readonly stride: number;
}

/** Makes a view of an 8-bit plane in the arena. */
export const viewOf = ({ u8 }: Arena, { address, width, height, stride }: Plane): GrayView => ({
  data: u8.subarray(address, address + stride * height),
  ...{ width, height, stride },
});

/**
 * The lids of an eye: x and y of its six points (corner, two above, corner, two below), and its width from the front in
 * pixels. Also has a position of bare skin to compare the eye's surroundings with.
 */
export interface EyeOutline {
  readonly points: ArrayLike<number>;
  readonly width: number;
  readonly skin: readonly [x: number, y: number];
}

export interface Iris {
  /** In pixels. */
  readonly x: number;
  readonly y: number;
  /** -1..1: correlation of the disc with darkness. */
  readonly clearness: number;
  /** Gray value below the eye, relative to bare skin. Dark glasses are dark there too. */
  readonly bare: number;
}

/** Distance between samples, and radius of an iris, in widths of the eye. */
const STEP = 0.05;
const RADIUS = 0.21;
/** Maximum distance at which a sample is still partly inside the disc. */
const REACH = RADIUS + STEP / 2;
/** Number of samples from the center in each direction. */
const [ACROSS, DOWN] = [12, 8] as const;
const COLUMNS = 2 * ACROSS + 1;
/** Range of samples on an axis, out of `most` in each direction, that a disc around a position can reach. */
const samplesFrom = (at: number, most: number) => Math.max(0, Math.ceil((at - REACH) / STEP) + most);
const samplesTo = (at: number, most: number) => Math.min(2 * most, Math.floor((at + REACH) / STEP) + most);
/** The lids' points are not exact, so the outline is enlarged by this on all sides. */
const MARGIN = 0.04;
/** Distance of the skin samples below the eye, size of their square, and size of the square of bare skin. */
const [BELOW, PATCH, SKIN] = [0.45, 0.2, 0.4];
/** Minimum share of the disc that must be visible between the lids. */
const LEAST_SEEN = 0.4;
/** Minimum share of the outline that is outside the disc. */
const LEAST_BESIDE = 0.1;

const clamp = (v: number) => Math.min(1, Math.max(0, v));

/** Mean of a few pixels around (x, y), `side` pixels wide. The border of the image is extended. */
export function sampleAt({ data, width, height, stride }: GrayView, x: number, y: number, side: number): number {
  const n = Math.min(3, Math.max(1, Math.ceil(side - 0.25)));
  const right = width > 1 ? 1 : 0;
  const below = height > 1 ? stride : 0;
  let sum = 0;
  for (let j = 0; j < n; j++) {
    const v = Math.min(height - 1, Math.max(0, y + ((j + 0.5) / n - 0.5) * side));
    const row = Math.max(0, Math.min(height - 2, Math.floor(v)));
    for (let i = 0; i < n; i++) {
      const u = Math.min(width - 1, Math.max(0, x + ((i + 0.5) / n - 0.5) * side));
      const column = Math.max(0, Math.min(width - 2, Math.floor(u)));
      const at = row * stride + column;
      const upper = data[at]! + (u - column) * (data[at + right]! - data[at]!);
      const lower = data[at + below]! + (u - column) * (data[at + below + right]! - data[at + below]!);
      sum += upper + (v - row) * (lower - upper);
    }
  }
  return sum / (n * n);
}

/** Finds the iris. Null if none is visible. */
export function irisOf(view: GrayView, { points, width, skin }: EyeOutline): Iris | null {
  const [ax, ay, bx, by] = [points[0]!, points[1]!, points[6]!, points[7]!];
  const long = Math.hypot(bx - ax, by - ay);
  if (!(long > 0 && width > 0)) return null;
  const [ex, ey] = [(bx - ax) / long, (by - ay) / long];
  const [mx, my] = [(ax + bx) / 2, (ay + by) / 2];
  // The outline in widths of the eye: u along the corners, v down.
  const outline = Array.from({ length: 6 }, (_, i) => {
    const [dx, dy] = [(points[2 * i]! - mx) / width, (points[2 * i + 1]! - my) / width];
    return [ex * dx + ey * dy, ex * dy - ey * dx] as const;
  });
  const edges = outline.map(([u, v], i) => {
    const [s, t] = outline[(i + 1) % 6]!;
    const length = Math.hypot(s - u, t - v) || 1;
    return { u, v, du: (s - u) / length, dv: (t - v) / length };
  });
  /** Distance from the outline, positive inside. It is exact for a convex outline. */
  const depth = (u: number, v: number) => {
    let least = Infinity;
    for (const edge of edges) least = Math.min(least, edge.du * (v - edge.v) - edge.dv * (u - edge.u));
    return least;
  };

  const room = COLUMNS * (2 * DOWN + 1);
  const [weights, darks] = [new Float64Array(room), new Float64Array(room)];
  let [all, sum, squares] = [0, 0, 0];
  for (let k = 0; k < room; k++) {
    const u = STEP * ((k % COLUMNS) - ACROSS);
    const v = STEP * (Math.floor(k / COLUMNS) - DOWN);
    const weight = clamp(0.5 + (depth(u, v) + MARGIN) / STEP);
    if (!weight) continue;
    const x = mx + width * (ex * u - ey * v);
    const gray = sampleAt(view, x, my + width * (ey * u + ex * v), STEP * width);
    weights[k] = weight;
    darks[k] = weight * gray;
    all += weight;
    sum += weight * gray;
    squares += weight * gray * gray;
  }
  const deviation = Math.sqrt(Math.max(0, squares / all - (sum / all) ** 2));
  if (!(deviation > 0.5)) return null;
  const full = (Math.PI * RADIUS * RADIUS) / (STEP * STEP);

  const clearnessAt = (u: number, v: number): number => {
    let n = 0;
    let dark = 0;
    const left = samplesFrom(u, ACROSS);
    const right = samplesTo(u, ACROSS);
    const bottom = samplesTo(v, DOWN);
    for (let j = samplesFrom(v, DOWN); j <= bottom; j++) {
      const dv = STEP * (j - DOWN) - v;
      for (let i = left, k = COLUMNS * j + left; i <= right; i++, k++) {
        const weight = weights[k]!;
        if (!weight) continue;
        const du = STEP * (i - ACROSS) - u;
        const share = 0.5 + (RADIUS - Math.sqrt(du * du + dv * dv)) / STEP;
        if (share <= 0) continue;
        const own = share < 1 ? share : 1;
        n += own * weight;
        dark += own * darks[k]!;
      }
    }
    if (n < LEAST_SEEN * full || all - n < LEAST_BESIDE * all) return -1;
    return (((sum - dark) / (all - n) - dark / n) * Math.sqrt(n * (all - n))) / (all * deviation);
  };
  let best = { u: 0, v: 0, clearness: -1 };
  const look = (u: number, v: number) => {
    const clearness = clearnessAt(u, v);
    if (clearness > best.clearness) best = { u, v, clearness };
  };
  for (let v = -4; v <= 4; v += 2)
    for (let u = -8; u <= 8; u += 2) if (depth(STEP * u, STEP * v) > -2 * MARGIN) look(STEP * u, STEP * v);
  if (!(best.clearness > 0)) return null;
  for (const step of [STEP, STEP / 2, STEP / 4]) {
    const { u, v } = best;
    for (let j = -1; j <= 1; j++) for (let i = -1; i <= 1; i++) look(u + step * i, v + step * j);
  }
  const { u, v, clearness } = best;
  const below = sampleAt(view, mx - width * ey * BELOW, my + width * ex * BELOW, PATCH * width);
  const bare = below / Math.max(1, sampleAt(view, ...skin, SKIN * width));
  return { x: mx + width * (ex * u - ey * v), y: my + width * (ey * u + ex * v), clearness, bare };
}

/** Number of values per eye in the stage's list, and per iris in its result. */
const NUMBERS = 15;
const FOUND = 4;

/** Eyes in the format of the stage's input. */
export const listOf = (eyes: readonly EyeOutline[]): Float64Array =>
  Float64Array.from(eyes.flatMap(({ points, width, skin }) => [...Array.from(points), width, ...skin]));

/** Irises from the format of the stage's output. */
export const irisesOf = (found: Float64Array): (Iris | null)[] =>
  Array.from({ length: found.length / FOUND }, (_, i) => {
    const [x, y, clearness, bare] = found.subarray(FOUND * i) as unknown as [number, number, number, number];
    return clearness > 0 ? { x, y, clearness, bare } : null;
  });

/**
 * Inputs: an image, and for each eye the x and y of its six points, its width, and a position of skin. Output: x, y,
 * clearness and bareness of each iris, or NaN.
 */
export const irises = defineStage({
  name: 'faces/iris',
  params: {},
  inputs: ['u8', 'f64[]'],
  outputs: ['f64[]'],
  tolerance: 1e-6,
  wasmOnly: 'A few hundred samples of each eye: less work than a pass and its read-back would take.',
  *wasm({ arena }, [source, list]) {
    const view = viewOf(arena, source);
    const found = new Float64Array((FOUND * list.length) / NUMBERS).fill(NaN);
    for (let i = 0; i < list.length / NUMBERS; i++) {
      const eye = list.subarray(NUMBERS * i, NUMBERS * (i + 1));
      const iris = irisOf(view, { points: eye, width: eye[12]!, skin: [eye[13]!, eye[14]!] });
      if (iris) found.set([iris.x, iris.y, iris.clearness, iris.bare], FOUND * i);
    }
    return [found];
  },
});
