/** Points to track: their validation and their results. */
import { FoveolaError } from '../runtime/error.ts';

export interface TrackedPoints {
  /** x and y of each point in the next frame. A lost point has its last known position. */
  points: Float32Array;
  /** 1: found. 0: left the frame, or its window has too little texture. */
  status: Uint8Array;
  /** Mean absolute difference of the two windows in gray values. NaN if the status is 0. */
  error: Float32Array;
  /**
   * Distance in pixels between the start and the end of a point that is tracked there and back. NaN if either way
   * fails.
   */
  forwardBackward?: Float32Array;
}

/** Makes an empty result for `count` points. */
export function emptyResult(count: number, { forwardBackward }: { readonly forwardBackward: boolean }): TrackedPoints {
  return {
    points: new Float32Array(2 * count),
    status: new Uint8Array(count),
    error: new Float32Array(count),
    ...(forwardBackward && { forwardBackward: new Float32Array(count).fill(NaN) }),
  };
}

/** Lists in the order of the stage's outputs. */
export const listsOf = ({ points, status, error, forwardBackward }: TrackedPoints) =>
  [points, status, error, forwardBackward ?? new Float32Array(0)] as const;

/** Throws if `points` is not a valid list of points. */
export function check(name: string, points: unknown, length?: number): asserts points is Float32Array {
  if (!(points instanceof Float32Array))
    throw new FoveolaError('invalid-argument', `trackPoints: ${name} must be a Float32Array of x, y, x, y, ...`);
  if (points.length % 2)
    throw new FoveolaError(
      'invalid-argument',
      `trackPoints: ${name} must have x and y of each point, but its length is odd.`,
    );
  if (length !== undefined && points.length !== length)
    throw new FoveolaError('invalid-argument', `trackPoints: ${name} must have the length of points.`);
}

/** Throws for points that trackPoints would reject, before pixels are moved. */
export function checkPoints(points: unknown): asserts points is Float32Array {
  check('points', points);
}

export function sameSize(previous: { width: number; height: number }, next: { width: number; height: number }): void {
  if (previous.width === next.width && previous.height === next.height) return;
  const size = ({ width, height }: { width: number; height: number }) => `${width}x${height}`;
  throw new FoveolaError(
    'invalid-argument',
    `Both frames must have the same size, not ${size(previous)} and ${size(next)}. Scale one of them first.`,
  );
}
