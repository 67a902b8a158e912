/**
 * Sparse pyramidal Lucas-Kanade (Bouguet 2000) with OpenCV's fixed point, borders and rules, over two pyramids. The
 * same points are found on one thread and on many.
 */
import { FoveolaError } from '../runtime/error.ts';
import { resolveParameters, type Values } from '../runtime/parameters.ts';
import type { WasmSide } from '../runtime/wasm-side.ts';
import { sparseParameters } from './parameters.ts';
import type { FlowPyramid } from './pyramid.ts';

export interface TrackedPoints {
  /** x, y of each point in the next frame, where it was last seen if it was lost. */
  points: Float32Array;
  /** 1: found. 0: left the frame, or its window has too little texture. */
  status: Uint8Array;
  /** Mean absolute difference of the two windows in gray levels; NaN where the status is 0. */
  error: Float32Array;
  /** How far from its start the point ends when it is tracked back, in pixels; NaN where either way fails. */
  forwardBackward?: Float32Array;
}

export interface TrackPointsOptions extends Partial<Values<typeof sparseParameters>> {
  /** Where to start the search in the next frame, x, y of each point; the points themselves by default. */
  initial?: Float32Array;
}

/** Bytes a thread needs for one window: see assembly/flow/track-points.ts. */
function scratchOf(window: number): number {
  const columns = (window + 8) & ~7;
  const patch = (window + 3) * ((window + 35) & ~15);
  const gradient = (window + 1) * (2 * columns + 32);
  const template = 48 * (columns >> 3) * window;
  return 128 + patch + 2 * gradient + template + 4 * 64;
}

function check(name: string, points: unknown, length?: number): asserts points is Float32Array {
  if (!(points instanceof Float32Array))
    throw new FoveolaError('invalid-argument', `trackPoints: ${name} must be a Float32Array of x, y, x, y, ...`);
  if (points.length % 2)
    throw new FoveolaError(
      'invalid-argument',
      `trackPoints: ${name} must have x and y of each point; its length is odd.`,
    );
  if (length !== undefined && points.length !== length)
    throw new FoveolaError('invalid-argument', `trackPoints: ${name} must have as many points as points.`);
}

/** Refuses what trackPoints would refuse, before pixels move. */
export function checkPoints(points: unknown): asserts points is Float32Array {
  check('points', points);
}

/**
 * Follows points, x, y of each in pixels of the frame, from one frame to another of the same size. The levels used are
 * those that both pyramids have. A point with a coordinate that is not finite gets status 0. Throws 'invalid-argument'.
 */
export function trackPoints(
  side: WasmSide,
  previous: FlowPyramid,
  next: FlowPyramid,
  points: Float32Array,
  { initial, ...given }: TrackPointsOptions = {},
): TrackedPoints {
  const params = resolveParameters(sparseParameters, given, 'trackPoints');
  check('points', points);
  if (initial) check('initial', initial, points.length);
  sameSize(previous, next);
  const count = points.length >> 1;
  const result: TrackedPoints = {
    points: new Float32Array(2 * count),
    status: new Uint8Array(count),
    error: new Float32Array(count),
  };
  if (params.forwardBackward) result.forwardBackward = new Float32Array(count).fill(NaN);
  if (count === 0) return result;

  const bytes = 8 * count;
  side.temporary(5 * bytes + 64, (from) => {
    const start = from + bytes;
    const out = start + bytes;
    const error = out + bytes;
    const status = error + (bytes >> 1);
    const levels = Math.min(previous.levels, next.levels, params.levels + 1);
    const { window, iterations, epsilon, minEigenvalue } = params;
    const scratch = scratchOf(window);
    const track = (a: FlowPyramid, b: FlowPyramid, points: number, initial: number, out: number) =>
      side.bands(
        'trackPoints',
        count,
        [a.table, b.table, levels, points, initial, out, status, error, window, iterations, epsilon, minEigenvalue],
        { scratch, minimumBand: 8 },
      );
    side.arena.f32.set(points, from >> 2);
    if (initial) side.arena.f32.set(initial, start >> 2);
    track(previous, next, from, initial ? start : 0, out);
    const { arena } = side;
    result.points.set(arena.f32.subarray(out >> 2, (out >> 2) + 2 * count));
    result.error.set(arena.f32.subarray(error >> 2, (error >> 2) + count));
    result.status.set(arena.u8.subarray(status, status + count));
    for (let i = 0; i < count; i++) if (!result.status[i]) result.error[i] = NaN;
    if (!result.forwardBackward) return;
    track(next, previous, out, 0, start);
    const back = arena.f32.subarray(start >> 2, (start >> 2) + 2 * count);
    for (let i = 0; i < count; i++)
      if (result.status[i] && arena.u8[status + i])
        result.forwardBackward[i] = Math.hypot(back[2 * i]! - points[2 * i]!, back[2 * i + 1]! - points[2 * i + 1]!);
  });
  return result;
}

export function sameSize(previous: { width: number; height: number }, next: { width: number; height: number }): void {
  if (previous.width === next.width && previous.height === next.height) return;
  const size = ({ width, height }: { width: number; height: number }) => `${width}x${height}`;
  throw new FoveolaError(
    'invalid-argument',
    `Both frames must have the same size, not ${size(previous)} and ${size(next)}. Scale one of them first.`,
  );
}
