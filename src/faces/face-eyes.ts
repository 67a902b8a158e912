/** The eyes of one face from frame to frame: how far they are open, whether they blink, where they look. */
import type { Face, FaceMeasures, Gaze, LandmarkFit } from '../results/types.ts';
import type { Plane } from '../runtime/plane.ts';
import type { Scope } from '../runtime/scope.ts';
import type { Plan } from '../runtime/wasm/kernel-step.ts';
import { eyeTable } from './eye-table.ts';
import { EyeState, isBlink } from './eye-state.ts';
import { EYES, gazeOf } from './gaze.ts';
import { eyeWidth, measuresIn, poseOf, type HeadPose } from './head.ts';
import { irises, irisesOf, irisOf, listOf, type EyeOutline, type GrayView } from './iris.ts';

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
