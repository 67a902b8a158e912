/** The eyes of one face from frame to frame: their openness, blinks and gaze. */
import type { FaceMeasures, Gaze, Face, LandmarkFit } from '../results/types.ts';
import { eyeTable } from './eye-table.ts';
import { eyeWidth, type HeadPose, measuresIn, poseOf } from './head.ts';
import { type Iris, irises, irisesOf, irisOf, listOf, type EyeOutline, type GrayView } from './iris.ts';
import type { Plane } from '../runtime/plane.ts';
import type { Scope } from '../runtime/scope.ts';
import type { Plan } from '../runtime/wasm/kernel-step.ts';

// Openness of the eyes, relative to their usual open height. Lids, lashes and glasses of a face are constant between
// frames, and so are the errors of a model for them. The heights of the last seconds are stored. Blinks are a small
// part of them, so a quantile above the median is the open eye.

/** Number of stored heights, and minimum time between two of them: six seconds in total. */
const KEPT = 120;
const APART = 50;
/** Minimum number of heights to know the open eye. */
export const LEAST_KNOWN = 6;
/** The quantile that counts as open. */
export const OPEN = 0.6;

export const openOf = (heights: readonly number[]): number =>
  [...heights].sort((a, b) => a - b)[Math.floor(OPEN * (heights.length - 1))]!;

export class EyeState {
  #heights: [number[], number[]] = [[], []];
  #kept = -Infinity;
  #next = 0;

  /**
   * For a frame with trusted points: openness of the eyes relative to their own open height, first the eye on the left
   * of the image. Null until the open height is known, and if the eyes were never open.
   */
  openness({ eyes }: Pick<FaceMeasures, 'eyes'>, timestamp: number): [number, number] | null {
    // The negation also handles a clock that restarts.
    if (!(Math.abs(timestamp - this.#kept) < APART)) {
      this.#kept = timestamp;
      this.#heights.forEach((heights, side) => (heights[this.#next] = eyes[side]!.opening));
      this.#next = (this.#next + 1) % KEPT;
    }
    if (this.#heights[0].length < LEAST_KNOWN) return null;
    const open = this.#heights.map(openOf) as [number, number];
    // If the eyes were shut from the beginning, the open state is unknown.
    if (!open.every((height) => height > eyeTable.closed)) return null;
    return [eyes[0].opening / open[0], eyes[1].opening / open[1]];
  }
}

/** Openness of both eyes together, because one measure is less exact than two. A wink leaves it at 1. */
export const jointOpenness = ([left, right]: readonly [number, number]): number =>
  Math.max((left + right) / 2, 2 * Math.max(left, right) - 1);

export const isBlink = (openness: readonly [number, number]): boolean => jointOpenness(openness) < eyeTable.shut;

// Gaze of a face, from the positions of its irises between the corners of the eyes. An iris is on a ball. The direction
// of the gaze is its offset from the ball's center, in radii of its path. The center moves with the head, relative to
// the middle of the corners. So each component of the direction is linear in the iris's offset and in the axes of the
// head:
//
//   g = a (iris - corners) / scale + R c
//
// R is the rotation of the head, and c is constant for all people, except for its left or right sign. `npm run
// lab -- train-eyes` fits a and c, and the contribution of the height of the lids, on rendered faces with known gaze.

/** Lower bound of the gray value. */
const LEAST_BARE = 0.02;

/** First points of the eyes, of 68: left in the image, right. */
export const EYES = [36, 42] as const;

/** Axes of a head, as rows: to the right of the image, up. */
export function axesOf({ yaw, pitch, roll }: Pick<HeadPose, 'yaw' | 'pitch' | 'roll'>): [number[], number[]] {
  const [[ca, sa], [cb, sb], [cc, sc]] = [yaw, pitch, roll].map((angle) => [Math.cos(angle), Math.sin(angle)]) as [
    [number, number],
    [number, number],
    [number, number],
  ];
  const across = [ca, 0, sa];
  const up = [-sb * sa, cb, sb * ca];
  return [across.map((v, i) => cc * v + sc * up[i]!), up.map((v, i) => cc * v - sc * across[i]!)];
}

/** Inputs of the two linear components of the gaze, for one eye. */
export function gazeColumns(
  landmarks: ArrayLike<number>,
  side: 0 | 1,
  iris: Pick<Iris, 'x' | 'y'>,
  pose: HeadPose,
): [across: number[], up: number[]] {
  const first = 2 * EYES[side];
  const at = (k: number) => landmarks[first + k]!;
  const unit = eyeWidth(pose);
  const [mx, my] = [(at(0) + at(6)) / 2, (at(1) + at(7)) / 2];
  const upper = (at(3) + at(5)) / 2;
  const lower = (at(9) + at(11)) / 2;
  const [right, up] = axesOf(pose);
  const sign = side ? 1 : -1;
  return [
    [(iris.x - mx) / unit, sign * right[0]!, right[1]!, right[2]!],
    [(my - iris.y) / unit, sign * up[0]!, up[1]!, up[2]!, (my - upper) / unit, (my - lower) / unit],
  ];
}

const dot = (a: readonly number[], b: readonly number[]) => a.reduce((sum, v, i) => sum + v * b[i]!, 0);

/** Combines both components to a direction. Null if they are not a valid direction. */
export function directionOf(across: number, up: number): Gaze | null {
  const rest = 1 - across * across - up * up;
  if (!(rest > 0.1)) return null;
  return { yaw: Math.atan2(across, Math.sqrt(rest)), pitch: Math.asin(up) };
}

/** Gray value below both eyes of a face relative to bare skin, as the geometric mean. Dark glasses cover both. */
export function barenessOf(found: readonly (Pick<Iris, 'bare'> | null)[]): number {
  const logs = found.flatMap((iris) => (iris ? [Math.log(Math.max(LEAST_BARE, iris.bare))] : []));
  return logs.length ? Math.exp(logs.reduce((sum, v) => sum + v, 0) / logs.length) : 0;
}

/** Gaze of a face: the mean of the eyes with a visible iris. Null with dark glasses. */
export function gazeOf(landmarks: ArrayLike<number>, found: readonly (Iris | null)[], pose: HeadPose): Gaze | null {
  if (barenessOf(found) < eyeTable.bare) return null;
  const seen = found.flatMap((iris, side) => {
    if (!iris || iris.clearness < eyeTable.clearness) return [];
    const [across, up] = gazeColumns(landmarks, side as 0 | 1, iris, pose);
    return [[dot(across, eyeTable.across), dot(up, eyeTable.up)] as const];
  });
  if (!seen.length) return null;
  const mean = (k: 0 | 1) => seen.reduce((sum, one) => sum + one[k], 0) / seen.length;
  return directionOf(mean(0), mean(1));
}

/** Tip of the nose, of 68. It is below glasses. */
const NOSE = 30;

/** Lids from the points of the model. */
export const outlinesOf = (landmarks: Float32Array, pose: HeadPose): EyeOutline[] =>
  EYES.map((first) => ({
    ...{ points: landmarks.subarray(2 * first, 2 * first + 12), width: eyeWidth(pose) },
    skin: [landmarks[2 * NOSE]!, landmarks[2 * NOSE + 1]!],
  }));

/**
 * Returns pose and measures if the landmarks are reliable enough for the eyes: the face is large enough and not turned
 * too far.
 */
function trusted(landmarks: Float32Array, confidence: number): { pose: HeadPose; measures: FaceMeasures } | null {
  const pose = poseOf(landmarks);
  if (!pose || eyeWidth(pose) < eyeTable.width) return null;
  const measures = measuresIn(pose, landmarks, confidence);
  return measures.warnings.length ? null : { pose, measures };
}

const allShut = ({ eyes }: FaceMeasures) => eyes.every(({ closed }) => closed);

/** Gaze of each of these faces. Null if it is not visible. */
export function* gazesOf(scope: Scope, plane: Plane, fits: readonly LandmarkFit[]): Plan<(Gaze | null)[]> {
  const seen = fits.map(({ landmarks, confidence }) => {
    const known = trusted(landmarks, confidence);
    return known && !allShut(known.measures) ? known.pose : null;
  });
  const eyes = seen.flatMap((pose, i) => (pose ? outlinesOf(fits[i]!.landmarks, pose) : []));
  if (!eyes.length) return fits.map(() => null);
  const [list] = yield* scope.run(irises, [plane, listOf(eyes)]);
  const found = irisesOf(list);
  let at = 0;
  return seen.map((pose, i) => pose && gazeOf(fits[i]!.landmarks, found.slice(at, (at += 2)), pose));
}

export class FaceEyes {
  readonly #state = new EyeState();

  /** Measures the eyes. Values that cannot be seen are absent. */
  look(
    view: GrayView,
    landmarks: Float32Array,
    confidence: number,
    timestamp: number,
  ): Pick<Face, 'openness' | 'blink' | 'gaze'> {
    const known = trusted(landmarks, confidence);
    if (!known) return {};
    const { pose, measures } = known;
    const openness = this.#state.openness(measures, timestamp);
    const blink = openness ? isBlink(openness) : undefined;
    const shut = blink ?? allShut(measures);
    const found = shut ? [] : outlinesOf(landmarks, pose).map((eye) => irisOf(view, eye));
    const gaze = gazeOf(landmarks, found, pose);
    return { ...(openness && { openness, blink: blink! }), ...(gaze && { gaze }) };
  }
}
