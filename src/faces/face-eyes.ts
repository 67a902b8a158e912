/** The eyes of one face from frame to frame: how far they are open, whether they blink, where they look. */
import type { FaceMeasures, Gaze, Face, LandmarkFit } from '../results/types.ts';
import { eyeTable } from './eye-table.ts';
import { eyeWidth, type HeadPose, measuresIn, poseOf } from './head.ts';
import { type Iris, irises, irisesOf, irisOf, listOf, type EyeOutline, type GrayView } from './iris.ts';
import type { Plane } from '../runtime/plane.ts';
import type { Scope } from '../runtime/scope.ts';
import type { Plan } from '../runtime/wasm/kernel-step.ts';

// How far eyes are open, by what they are open as a rule: lids, lashes and glasses of a face stay from frame to frame, and so does what a
// model gets wrong about them. The heights of the last seconds are kept; blinks take up a small part of them, so that a quantile above
// the middle is the open eye.

/** Heights that are kept, and the least time between two of them: six seconds. */
const KEPT = 120;
const APART = 50;
/** Heights from which on the open eye is known. */
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
   * Of a frame whose points are trusted: what the eyes are open by their own measure, the left one in the picture first; null until
   * that is known, and where they were never seen open.
   */
  openness({ eyes }: Pick<FaceMeasures, 'eyes'>, timestamp: number): [number, number] | null {
    // Also where a clock begins again.
    if (!(Math.abs(timestamp - this.#kept) < APART)) {
      this.#kept = timestamp;
      this.#heights.forEach((heights, side) => (heights[this.#next] = eyes[side]!.opening));
      this.#next = (this.#next + 1) % KEPT;
    }
    if (this.#heights[0].length < LEAST_KNOWN) return null;
    const open = this.#heights.map(openOf) as [number, number];
    // Who has kept the eyes shut since the beginning has no open state yet.
    if (!open.every((height) => height > eyeTable.closed)) return null;
    return [eyes[0].opening / open[0], eyes[1].opening / open[1]];
  }
}

/** Both eyes together: a person blinks with both, and one measure is less exact than two. */
export const isBlink = (openness: readonly [number, number]): boolean =>
  (openness[0] + openness[1]) / 2 < eyeTable.shut;

// Where a face looks, from the places of its irises between the corners of the eyes. An iris lies on a ball: the direction of the gaze
// is where it stands away from the ball's center, in radii of its way. The center moves with the head, against the middle of the
// corners; so each component of the direction is linear in the iris's offset and in the axes of the head:
//
//   g = a (iris - corners) / scale + R c
//
// with R the rotation of the head and c the same for all persons but for its side. `npm run train:eyes` fits a and c, and what the
// height of the lids adds, on rendered faces whose gaze is known.

/** Darker counts as this. */
const LEAST_BARE = 0.02;

/** First points of the eyes, of 68: left in the picture, right. */
export const EYES = [36, 42] as const;

/** Axes of a head, as rows: to the right of the picture, up. */
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

/** What the two components of the gaze are linear in, of one eye. */
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

/** The direction that both components make; null where they are those of none. */
export function directionOf(across: number, up: number): Gaze | null {
  const rest = 1 - across * across - up * up;
  if (!(rest > 0.1)) return null;
  return { yaw: Math.atan2(across, Math.sqrt(rest)), pitch: Math.asin(up) };
}

/** Of both eyes of a face: gray below them by that of bare skin, the geometric mean; dark glasses are before both. */
export function barenessOf(found: readonly (Pick<Iris, 'bare'> | null)[]): number {
  const logs = found.flatMap((iris) => (iris ? [Math.log(Math.max(LEAST_BARE, iris.bare))] : []));
  return logs.length ? Math.exp(logs.reduce((sum, v) => sum + v, 0) / logs.length) : 0;
}

/** Of a face: the mean of the eyes whose iris is seen; null behind dark glasses. */
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

/** Its tip, of 68: below glasses. */
const NOSE = 30;

/** The lids as the model has them. */
export const outlinesOf = (landmarks: Float32Array, pose: HeadPose): EyeOutline[] =>
  EYES.map((first) => ({
    ...{ points: landmarks.subarray(2 * first, 2 * first + 12), width: eyeWidth(pose) },
    skin: [landmarks[2 * NOSE]!, landmarks[2 * NOSE + 1]!],
  }));

/** Pose and measures where landmarks can be trusted with the eyes: those of a face that is large enough and not turned too far. */
function trusted(landmarks: Float32Array, confidence: number): { pose: HeadPose; measures: FaceMeasures } | null {
  const pose = poseOf(landmarks);
  if (!pose || eyeWidth(pose) < eyeTable.width) return null;
  const measures = measuresIn(pose, landmarks, confidence);
  return measures.warnings.length ? null : { pose, measures };
}

const allShut = ({ eyes }: FaceMeasures) => eyes.every(({ closed }) => closed);

/** Where each of these faces looks; null where that is not to be seen. */
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

  /** What the eyes do; what is not to be seen is absent. */
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
