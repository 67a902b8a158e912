/**
 * Moves one face from one frame to the next (thesis, section 4.5). Points are followed by pyramidal Lucas-Kanade, there
 * and back. The similarity without rotation that explains most of them moves the face.
 */
import type { TrackedPoints } from '../flow/tracked-points.ts';
import { median } from '../image/numbers.ts';
import { fitSimilarity, type Similarity } from '../image/similarity.ts';
import type { Box } from '../results/types.ts';

// Chosen by hand with `npm run lab -- stability faces` and `npm run bench -- speed faces`.

/**
 * Maximum number of points to follow. More points make the motion more stable, and cost a fiftieth of a millisecond
 * each.
 */
const MOST = 34;
/** Maximum distance of a point from its start when it is tracked back, in sides of the box. */
const ASTRAY = 0.02;
/** Minimum share of the points that must agree. */
export const LEAST_SHARE = 0.4;
/** A point this many medians from its expected position does not move with the rest. */
export const MEDIANS = 2.5;
/** Limits of the change in size of a face between two frames. */
export const [SMALLEST_SCALE, LARGEST_SCALE] = [0.7, 1.4] as const;

/** Maximum distance of a point from its start, in pixels. */
export const astrayFrom = ({ width }: Box): number => Math.max(1, ASTRAY * width);

export interface Motion {
  readonly fit: Similarity;
  /** Share of the points that were followed there and back. */
  readonly share: number;
}

/** Grid over the center of a box, for faces without landmarks. */
export function gridOf({ x, y, width, height }: Box): Float32Array {
  const side = 6;
  const points = new Float32Array(2 * side * side);
  for (let i = 0; i < side * side; i++) {
    points[2 * i] = x + width * (0.2 + (0.6 * (i % side)) / (side - 1));
    points[2 * i + 1] = y + height * (0.2 + (0.6 * Math.floor(i / side)) / (side - 1));
  }
  return points;
}

/** Evenly selects some of the landmarks. With 68, it skips the jaw, whose points are next to the background. */
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

/** Parameters of the flow for points. */
export const FLOW = { window: 21, levels: 3, forwardBackward: true } as const;

/**
 * Motion of points around a box, from their tracked positions starting at point `first` of the list. Null if too few
 * agree.
 */
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
  // Fit again without the points that do not move with the rest, such as a hand or the background.
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
