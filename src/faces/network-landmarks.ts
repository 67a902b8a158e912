/**
 * The 68 landmarks by a network (models/landmarks-network.bin, lab/train/landmarks). It sees an upright face of 75 pixels. For
 * each cell of 8 x 8 pixels it returns the odds that a point is near, its place and its expected error. A face is fitted
 * twice: in the box of the detector, then in the box of the points that were found.
 */
import { wrongFormat } from '../models/container.ts';
import type { Network } from '../models/network.ts';
import { networkAnswers } from '../network/run.ts';
import type { LandmarkFit } from '../results/types.ts';
import type { Plane } from '../runtime/plane.ts';
import type { Backend } from '../runtime/runtime.ts';
import type { Scope } from '../runtime/scope.ts';
import type { Plan } from '../runtime/wasm/kernel-step.ts';
import { boxOfSquare, placed, squareOfBox, uprightCrop, type Square, type UprightBox } from './upright.ts';

/** Numbers of lab/train/landmarks/network.py. */
const SIDE = 112;
const MARGIN = 1.5;
const CELL = 8;
const POINTS = 68;
/** Points of the outer corners of the eyes, whose distance is the unit of errors. */
const [RIGHT_EYE, LEFT_EYE] = [36, 45];
/** Expected error at which the confidence is 0.5, and its slope there (lab/train/landmarks/confidence.mjs). */
const [EVEN, STEEP] = [0.076, 6.9];

/** The square of points, as in `geometry` of lab/train/faces/compose.py. The eyes give its turn. */
export function squareOfPoints(points: ArrayLike<number>): Square {
  const middle = (first: number) => {
    let [x, y] = [0, 0];
    for (let k = first; k < first + 6; k++) [x, y] = [x + points[2 * k]! / 6, y + points[2 * k + 1]! / 6];
    return [x, y] as const;
  };
  const [a, b] = [middle(36), middle(42)];
  const turn = Math.atan2(b[1] - a[1], b[0] - a[0]);
  const [c, s] = [Math.cos(turn), Math.sin(turn)];
  let [left, right, top, bottom] = [Infinity, -Infinity, Infinity, -Infinity];
  for (let k = 0; k < POINTS; k++) {
    const [x, y] = [points[2 * k]!, points[2 * k + 1]!];
    const [u, v] = [c * x + s * y, c * y - s * x];
    [left, right, top, bottom] = [Math.min(left, u), Math.max(right, u), Math.min(top, v), Math.max(bottom, v)];
  }
  const side = (1.05 * (right - left + bottom - top)) / 2;
  const [u, v] = [(left + right) / 2, (top + bottom) / 2 - 0.09 * side];
  return { x: c * u - s * v, y: s * u + c * v, side, turn };
}

/** Where to fit a face that is expected at these points. Null if they have no extent. */
export function boxOfPoints(points: ArrayLike<number>): UprightBox | null {
  const square = squareOfPoints(points);
  return square.side > 1 && square.side < Infinity ? boxOfSquare(square) : null;
}

/** Cells whose odds are lower, relative to the most likely one, do not move a point. */
const LEAST_ODDS = -20;

type Sums = [Float64Array, Float64Array, Float64Array, Float64Array];

/** Points in pixels of the crop, and the expected distance of each from the true one in sides of the face. */
export function decoded(answers: Float32Array): { points: Float32Array; errors: Float32Array } {
  const cells = SIDE / CELL;
  const each = 4 * POINTS;
  // Cell by cell, since the numbers of a cell are adjacent.
  const most = new Float32Array(POINTS).fill(-Infinity);
  for (let from = 0; from < answers.length; from += each)
    for (let k = 0; k < POINTS; k++) if (answers[from + k]! > most[k]!) most[k] = answers[from + k]!;
  const [sum, x, y, spread] = Array.from({ length: 4 }, () => new Float64Array(POINTS)) as Sums;
  for (let i = 0; i < cells * cells; i++)
    for (let k = 0; k < POINTS; k++) {
      const odds = answers[each * i + k]! - most[k]!;
      if (!(odds >= LEAST_ODDS)) continue;
      const weight = Math.exp(odds);
      sum[k]! += weight;
      x[k]! += weight * ((i % cells) + 0.5 + answers[each * i + POINTS + k]!);
      y[k]! += weight * (((i / cells) | 0) + 0.5 + answers[each * i + 2 * POINTS + k]!);
      spread[k]! += weight * answers[each * i + 3 * POINTS + k]!;
    }
  const points = Float32Array.from(
    { length: 2 * POINTS },
    (_, j) => (CELL * (j & 1 ? y : x)[j >> 1]!) / sum[j >> 1]! - 0.5,
  );
  const errors = Float32Array.from(sum, (all, k) => Math.exp(spread[k]! / all));
  return { points, errors };
}

/** One fit, in the square. The distances are in pixels of the image. */
function* fitOnce(scope: Scope, source: Plane, square: Square, network: Network, backends?: Set<Backend>) {
  const look = { side: SIDE, margin: MARGIN };
  const picture = yield* uprightCrop(scope, source, square, look, 'f32');
  const { numbers, backend } = yield* networkAnswers(scope, picture, network);
  backends?.add(backend);
  if (numbers.length !== 4 * POINTS * (SIDE / CELL) ** 2)
    throw wrongFormat(`The network is not for ${POINTS} landmarks. Use 'landmarks-network', or trees.`);
  const { points, errors } = decoded(numbers);
  for (let k = 0; k < points.length; k += 2)
    [points[k], points[k + 1]] = placed(square, look, points[k]!, points[k + 1]!) as [number, number];
  return { points, errors: errors.map((error) => error * square.side) };
}

/** Expected mean error in distances of the eyes. */
export function expectedError(points: Float32Array, errors: Float32Array): number {
  const along = (axis: number) => points[2 * LEFT_EYE + axis]! - points[2 * RIGHT_EYE + axis]!;
  const eyes = Math.max(1e-3, Math.hypot(along(0), along(1)));
  return errors.reduce((sum, error) => sum + error, 0) / POINTS / eyes;
}

/** Share of faces with such an expected error whose mean error is below a tenth of the distance of the eyes. */
const confidenceOf = (points: Float32Array, errors: Float32Array): number =>
  1 / (1 + (expectedError(points, errors) / EVEN) ** STEEP);

/** Landmarks of the boxes of a detector. `rounds` is 1 for boxes around expected points. `backends` receives those used. */
export function* networkLandmarks(
  scope: Scope,
  source: Plane,
  boxes: readonly UprightBox[],
  network: Network,
  { rounds = 2, backends }: { rounds?: number; backends?: Set<Backend> } = {},
): Plan<LandmarkFit[]> {
  yield* scope.onArena(source);
  const fits: LandmarkFit[] = [];
  for (const box of boxes)
    fits.push(
      yield* scope.part(function* (inner): Plan<LandmarkFit> {
        let fit = yield* fitOnce(inner, source, squareOfBox(box), network, backends);
        for (let round = 1; round < rounds; round++)
          fit = yield* fitOnce(inner, source, squareOfPoints(fit.points), network, backends);
        const { points, errors } = fit;
        return { landmarks: points, confidence: confidenceOf(points, errors), errors };
      }),
    );
  return fits;
}
