/**
 * Calibrates gaze from the position of the pupil relative to the glint of a lamp. The vector from glint to pupil
 * changes with gaze, and only slightly with small head movements. A polynomial maps it to the target (Morimoto and
 * Mimica, Comput Vis Image Underst 98, 2005; which terms: Cerrolaza, Villanueva and Cabeza, ACM TOCHI 19, 2012). With 5
 * points the terms are 1, x, y, xy. With at least 9 points, x squared and y squared are added. Glints are detected
 * elsewhere. Here they are numbers.
 */
import { FoveolaError } from '../runtime/error.ts';
import type { GazeSample } from './gaze.ts';
import { leastSquares } from './statistics.ts';
import { bad } from './samples.ts';

export interface Point {
  x: number;
  y: number;
}

export interface CalibrationPoint {
  /** Pupil and glint in the image of the camera, pixels. Preferably the mean of a fixation. */
  pupil: Point;
  glint: Point;
  /** The fixated target: degrees or pixels of the screen, x right and y down. Gaze has this unit as well. */
  target: Point;
}

export interface GazeCalibration {
  /**
   * Coefficients of 1, x, y, xy (and xx, yy) for target x and y. x and y are the vector minus `center`, divided by
   * `scale`.
   */
  x: number[];
  y: number[];
  center: Point;
  scale: number;
  /**
   * Root mean square and maximum distance from the targets, in their unit. They look good for a fit with few points.
   */
  residual: number;
  largest: number;
  /** `residual` with leave-one-out cross-validation. NaN if the remaining points are not enough for a fit. */
  residualLeftOut: number;
  /** Distance of each point. */
  distances: number[];
}

/** Minimum number of points for a fit, and for the larger polynomial. */
const FEW = 5;
const MANY = 9;

const finite = (point: Point | undefined) => !!point && Number.isFinite(point.x) && Number.isFinite(point.y);
const vectorOf = ({ pupil, glint }: Pick<CalibrationPoint, 'pupil' | 'glint'>): Point => ({
  x: pupil.x - glint.x,
  y: pupil.y - glint.y,
});

type Fit = Pick<GazeCalibration, 'x' | 'y' | 'center' | 'scale'>;

function terms({ center, scale }: Pick<Fit, 'center' | 'scale'>, vector: Point, count: number): number[] {
  const [x, y] = [(vector.x - center.x) / scale, (vector.y - center.y) / scale];
  return [1, x, y, x * y, x * x, y * y].slice(0, count);
}

function fitted(points: readonly CalibrationPoint[], count: number): Fit | null {
  const vectors = points.map(vectorOf);
  const center = { x: 0, y: 0 };
  for (const { x, y } of vectors) {
    center.x += x / points.length;
    center.y += y / points.length;
  }
  const scale = Math.max(...vectors.map(({ x, y }) => Math.hypot(x - center.x, y - center.y)));
  if (!(scale > 0)) return null;
  const solveFor = (axis: 'x' | 'y') =>
    leastSquares(
      points.length,
      count,
      (i, into) => into.set(terms({ center, scale }, vectors[i]!, count)),
      (i) => points[i]!.target[axis],
    );
  const [x, y] = [solveFor('x'), solveFor('y')];
  return x && y && { x: [...x.coefficients], y: [...y.coefficients], center, scale };
}

function looksAt(fit: Fit, vector: Point): Point {
  const values = terms(fit, vector, fit.x.length);
  const sum = (coefficients: number[]) => coefficients.reduce((total, c, k) => total + c * values[k]!, 0);
  return { x: sum(fit.x), y: sum(fit.y) };
}

/**
 * Throws 'invalid-argument': fewer than five points, a point without finite numbers, or points that do not spread over
 * the screen (all on a line, or duplicates).
 */
export function calibrateGaze(points: readonly CalibrationPoint[]): GazeCalibration {
  const where = 'calibrateGaze';
  if (!Array.isArray(points) || points.length < FEW)
    throw bad(where, `points must be at least ${FEW} of { pupil, glint, target }. Use 5 or 9 across the screen.`);
  points.forEach((point: CalibrationPoint, i) => {
    if (!finite(point?.pupil) || !finite(point.glint) || !finite(point.target))
      throw bad(where, `points[${i}] needs finite x and y for pupil, glint and target. Omit or measure it again.`);
  });
  const count = points.length >= MANY ? 6 : 4;
  const fit = fitted(points, count);
  if (!fit)
    throw new FoveolaError(
      'invalid-argument',
      `${where}: the points do not spread over the screen. Show a cross or a grid of separate targets.`,
    );
  const away = (by: Fit | null, point: CalibrationPoint) => {
    if (!by) return NaN;
    const { x, y } = looksAt(by, vectorOf(point));
    return Math.hypot(x - point.target.x, y - point.target.y);
  };
  const rms = (values: number[]) => Math.sqrt(values.reduce((sum, value) => sum + value * value, 0) / values.length);
  const distances = points.map((point: CalibrationPoint) => away(fit, point));
  const leftOut = points.map((point: CalibrationPoint, i) => {
    const others = points.filter((_, k) => k !== i);
    return others.length > count ? away(fitted(others, count), point) : NaN;
  });
  return {
    ...fit,
    residual: rms(distances),
    largest: Math.max(...distances),
    residualLeftOut: rms(leftOut),
    distances,
  };
}

/** Gaze position in the unit of the calibration targets. NaN if pupil or glint is not known. */
export function gazeOf(
  calibration: GazeCalibration,
  samples: readonly { timestamp: number; pupil: Point | null; glint: Point | null }[],
): GazeSample[] {
  return samples.map(({ timestamp, pupil, glint }) => {
    const there = pupil && glint && finite(pupil) && finite(glint);
    return { timestamp, ...(there ? looksAt(calibration, vectorOf({ pupil, glint })) : { x: NaN, y: NaN }) };
  });
}

/**
 * Viewing geometry of a screen. It converts targets from pixels to degrees, so that the calibrated gaze is in degrees.
 */
export interface ScreenGeometry {
  /** Screen pixel straight in front of the eye. */
  center: Point;
  millimetresPerPixel: number;
  /** Distance from eye to screen, mm. */
  distance: number;
}

/** Degrees of visual angle from the center of the screen. Throws 'invalid-argument' if a length is not above 0. */
export function degreesOnScreen(point: Point, { center, millimetresPerPixel, distance }: ScreenGeometry): Point {
  if (!(millimetresPerPixel > 0 && distance > 0 && millimetresPerPixel < Infinity && distance < Infinity))
    throw bad(
      'degreesOnScreen',
      'millimetresPerPixel and distance must be above 0. Measure the screen and the distance.',
    );
  const angle = (pixels: number) => (Math.atan2(pixels * millimetresPerPixel, distance) * 180) / Math.PI;
  return { x: angle(point.x - center.x), y: angle(point.y - center.y) };
}
