/**
 * One face from one frame to the next (thesis, section 4.5): points are followed by pyramidal Lucas-Kanade, there and
 * back, and the similarity without rotation that explains most of them moves the face.
 */
import type { TrackedPoints } from '../flow/tracked-points.ts';
import { median } from '../image/numbers.ts';
import type { Box } from '../results/types.ts';

// Similarity transforms between point sets (thesis, section 4.2.4; Umeyama 1991). In the plane the solution has a closed
// form, the reflection case included: a mirrored target gets the best rotation, never a mirror image.

/** q = (a, -b; b, a) p + (x, y). */
export interface Similarity {
  readonly a: number;
  readonly b: number;
  readonly x: number;
  readonly y: number;
}

type Points = ArrayLike<number>;

function meanOf(points: Points, use: (i: number) => boolean): { n: number; x: number; y: number } {
  let [n, x, y] = [0, 0, 0];
  for (let i = 0; i < points.length >> 1; i++)
    if (use(i)) {
      n++;
      x += points[2 * i]!;
      y += points[2 * i + 1]!;
    }
  return { n, x: x / n, y: y / n };
}

/**
 * The similarity with the least sum of squared distances from the moved points `from` to `to`, x and y of each; null when
 * `from` has no spread. `use` picks points; without `rotation` only scale and shift are fitted.
 */
export function fitSimilarity(
  from: Points,
  to: Points,
  { use = () => true, rotation = true }: { use?: (i: number) => boolean; rotation?: boolean } = {},
): Similarity | null {
  const p = meanOf(from, use);
  const q = meanOf(to, use);
  let [a, b, spread] = [0, 0, 0];
  for (let i = 0; i < from.length >> 1; i++) {
    if (!use(i)) continue;
    const [px, py] = [from[2 * i]! - p.x, from[2 * i + 1]! - p.y];
    const [qx, qy] = [to[2 * i]! - q.x, to[2 * i + 1]! - q.y];
    a += px * qx + py * qy;
    b += px * qy - py * qx;
    spread += px * px + py * py;
  }
  if (!(p.n >= 2 && spread > 0)) return null;
  a /= spread;
  b = rotation ? b / spread : 0;
  return { a, b, x: q.x - (a * p.x - b * p.y), y: q.y - (b * p.x + a * p.y) };
}

// Chosen by hand, looking at `npm run bench -- stability faces` and `-- speed faces`.

/** Points that are followed: more make the motion steadier, and cost a fiftieth of a millisecond each. */
const MOST = 34;
/** A point that ends this far from its start when it is tracked back has gone astray, in sides of the box. */
const ASTRAY = 0.02;
/** Share of the points that must agree. */
export const LEAST_SHARE = 0.4;
/** A point that is this many medians from where the motion has it does not move with the rest. */
export const MEDIANS = 2.5;
/** A face is not this much smaller or larger in the next frame. */
export const [SMALLEST_SCALE, LARGEST_SCALE] = [0.7, 1.4] as const;

/** How far from its start a point may end, in pixels. */
export const astrayFrom = ({ width }: Box): number => Math.max(1, ASTRAY * width);

export interface Motion {
  readonly fit: Similarity;
  /** Share of the points that could be followed there and back. */
  readonly share: number;
}

/** A grid over the middle of a box, for faces without landmarks. */
export function gridOf({ x, y, width, height }: Box): Float32Array {
  const side = 6;
  const points = new Float32Array(2 * side * side);
  for (let i = 0; i < side * side; i++) {
    points[2 * i] = x + width * (0.2 + (0.6 * (i % side)) / (side - 1));
    points[2 * i + 1] = y + height * (0.2 + (0.6 * Math.floor(i / side)) / (side - 1));
  }
  return points;
}

/** Some of the landmarks, evenly; of 68 without the jaw, whose points lie where the background begins. */
export function pointsToFollow(shape: Float32Array): Float32Array {
  const first = shape.length === 136 ? 17 : 0;
  const count = shape.length / 2 - first;
  const step = Math.max(1, count / MOST);
  const points: number[] = [];
  for (let i = 0; i < count; i += step) {
    const k = 2 * (first + Math.floor(i));
    points.push(shape[k]!, shape[k + 1]!);
  }
  return Float32Array.from(points);
}

/** How points are followed. */
export const FLOW = { window: 21, levels: 3, forwardBackward: true } as const;

/** Of points about a box and where they were found, from point `first` of the list on; null when too few agree on a motion. */
export function motionOf(points: Float32Array, tracked: TrackedPoints, box: Box, first = 0): Motion | null {
  const end = first + points.length / 2;
  const found = tracked.points.subarray(2 * first, 2 * end);
  const astray = astrayFrom(box);
  const good = Array.from(
    tracked.status.subarray(first, end),
    (ok, i) => ok === 1 && tracked.forwardBackward![first + i]! < astray,
  );
  const share = good.filter(Boolean).length / good.length;
  if (share < LEAST_SHARE) return null;
  const fit = fitSimilarity(points, found, { use: (i) => good[i]!, rotation: false });
  if (!fit) return null;
  // Once more without what does not move with the rest: a hand, the background.
  const away = good.map((_, i) =>
    Math.hypot(fit.a * points[2 * i]! + fit.x - found[2 * i]!, fit.a * points[2 * i + 1]! + fit.y - found[2 * i + 1]!),
  );
  const limit = Math.max(1, MEDIANS * median(away.filter((_, i) => good[i])));
  const better = fitSimilarity(points, found, { use: (i) => good[i]! && away[i]! <= limit, rotation: false }) ?? fit;
  return better.a > SMALLEST_SCALE && better.a < LARGEST_SCALE ? { fit: better, share } : null;
}

export const moveBox = ({ x, y, width, height }: Box, { a, x: dx, y: dy }: Similarity): Box => ({
  x: a * x + dx,
  y: a * y + dy,
  width: a * width,
  height: a * height,
});

export const moveShape = (shape: Float32Array, { a, x, y }: Similarity): Float32Array =>
  shape.map((v, i) => a * v + (i % 2 ? y : x));
