/**
 * Dense flow as the papers have it (Bouguet 2000; paper 001): every pixel has a window of its own, which moves as a
 * whole. That is sparse flow from every pixel, some 50 times the work of the sums that the windows could share.
 */
import type { Plane } from '../runtime/plane.ts';
import type { DenseValues } from './parameters.ts';
import type { Pieces } from './pieces.ts';
import type { FlowPyramid } from './pyramid.ts';
import { trackPoints } from './track-points.ts';

/** Points between two looks at the clock, for one thread: 3 to 6 ms of work. */
const POINTS = 1024;

/** Fills u and v, 0 where a window was lost; returns which windows were found. */
export async function windowsFlow(
  pieces: Pieces,
  previous: FlowPyramid,
  next: FlowPyramid,
  u: Plane,
  v: Plane,
  { window, levels, iterations, minEigenvalue }: DenseValues,
): Promise<Uint8Array> {
  const { width, height, stride } = u;
  const found = new Uint8Array(width * height);
  const some = POINTS * pieces.side.threads;
  for (let first = 0; first < width * height; first += some) {
    const count = Math.min(some, width * height - first);
    const points = Float32Array.from({ length: 2 * count }, (_, i) => {
      const pixel = first + (i >> 1);
      return i & 1 ? Math.floor(pixel / width) : pixel % width;
    });
    const tracked = trackPoints(pieces.side, previous, next, points, { window, levels, iterations, minEigenvalue });
    const { f32 } = pieces.side.arena;
    for (let i = 0; i < count; i++) {
      if (!tracked.status[i]) continue;
      const [x, y] = [points[2 * i]!, points[2 * i + 1]!];
      const at = (y * stride) / 4 + x;
      found[first + i] = 1;
      f32[u.address / 4 + at] = tracked.points[2 * i]! - x;
      f32[v.address / 4 + at] = tracked.points[2 * i + 1]! - y;
    }
    await pieces.done(count);
  }
  return found;
}
