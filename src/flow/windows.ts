/**
 * Dense flow as the papers have it (Bouguet 2000; paper 001): every pixel has a window of its own, which moves as a
 * whole. That is sparse flow from every pixel, some 50 times the work of the sums that the windows could share.
 */
import type { Plan } from '../runtime/wasm/kernel-step.ts';
import type { Plane } from '../runtime/plane.ts';
import type { Scope } from '../runtime/scope.ts';
import type { FieldValues } from './parameters.ts';
import type { FlowPyramid } from './pyramid.ts';
import { trackPoints } from './track-points.ts';

/** Points that are on the arena at a time. */
const POINTS = 16_384;

/** Fills u and v, 0 where a window was lost; returns which windows were found. `done` gets the number of pixels. */
export function* windowsFlow(
  scope: Scope,
  previous: FlowPyramid,
  next: FlowPyramid,
  u: Plane,
  v: Plane,
  { window, levels, iterations, minEigenvalue }: FieldValues,
  done: (pixels: number) => void,
): Plan<Uint8Array> {
  const { width, height, stride } = u;
  const found = new Uint8Array(width * height);
  for (let first = 0; first < width * height; first += POINTS) {
    const count = Math.min(POINTS, width * height - first);
    const points = Float32Array.from({ length: 2 * count }, (_, i) => {
      const pixel = first + (i >> 1);
      return i & 1 ? Math.floor(pixel / width) : pixel % width;
    });
    const tracked = yield* trackPoints(scope, previous, next, points, { window, levels, iterations, minEigenvalue });
    const { f32 } = scope.arena;
    for (let i = 0; i < count; i++) {
      if (!tracked.status[i]) continue;
      const [x, y] = [points[2 * i]!, points[2 * i + 1]!];
      const at = (y * stride) / 4 + x;
      found[first + i] = 1;
      f32[u.address / 4 + at] = tracked.points[2 * i]! - x;
      f32[v.address / 4 + at] = tracked.points[2 * i + 1]! - y;
    }
    done(count);
  }
  return found;
}
