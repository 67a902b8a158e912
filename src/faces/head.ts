/**
 * Measures of a head from 68 points: its direction, and the opening of eyes and mouth. The points of a mean face in
 * space are fitted to the points in the image by a scaled orthographic projection (Gauss-Newton over rotation, scale
 * and shift). People differ from the mean, so angles are accurate to a few degrees (lab/results/accuracy.md).
 */
import type { FaceMeasures } from '../results/types.ts';
import { solve } from '../series/statistics.ts';
import { eyeTable } from './eye-table.ts';
import { headShape } from './head-shape.ts';
import { fitSimilarity } from '../image/similarity.ts';

const POINTS = 68;
const ITERATIONS = 6;
/** In radians. A longer step leads away from the face. */
const LONGEST = 0.6;

/**
 * Weight of a point, by how little it moves with expressions and differs between people: bones, then lips and brows,
 * then the jaw.
 */
function weightOf(point: number): number {
  if (point < 17) return 0.1;
  if (point < 27) return 0.2;
  return point < 48 ? 1 : 0.3;
}

const placeOf = (wanted: number) => headShape.find(([point]) => point === wanted)!;

/** In units of the mean face. */
const between = (a: number, b: number) => Math.hypot(...[1, 2, 3].map((c) => placeOf(a)[c]! - placeOf(b)[c]!));
const EYES = between(36, 45);
const EYE = between(36, 39);
const MOUTH = between(48, 54);

/** Width in pixels of an eye that is seen from the front. */
export const eyeWidth = ({ scale }: HeadPose): number => EYE * scale;

/** Limits beyond which the points are not reliable: pixels between the outer eye corners, radians, shares. */
const trust = { eyes: 16, yaw: 0.7, pitch: 0.5, residual: 0.12, confidence: 0.5 };
type Place = [x: number, y: number, z: number];

/** Pose of a mean face in the image. Angles are defined like in FaceMeasures. */
export interface HeadPose {
  yaw: number;
  pitch: number;
  roll: number;
  /** Pixels per unit of the mean face. */
  scale: number;
  /** Root mean square in pixels. */
  residual: number;
}

/**
 * Appends a rotation around a vector by its length to `rotation`. For each column c: c + sin k x c + (1 - cos) k x (k x
 * c), where k is the axis.
 */
function turned(rotation: readonly number[], vector: readonly number[]): number[] {
  const angle = Math.hypot(...vector);
  if (!angle) return [...rotation];
  const [x, y, z] = vector.map((v) => v / angle) as Place;
  const across = ([a, b, c]: Place): Place => [y * c - z * b, z * a - x * c, x * b - y * a];
  const out = [...rotation];
  for (let i = 0; i < 3; i++) {
    const once = across([rotation[i]!, rotation[i + 3]!, rotation[i + 6]!]);
    const twice = across(once);
    for (let k = 0; k < 3; k++) out[i + 3 * k]! += Math.sin(angle) * once[k]! + (1 - Math.cos(angle)) * twice[k]!;
  }
  return out;
}

/** Fits the mean face. Null if the points have no extent. */
export function fitHead(landmarks: ArrayLike<number>, shape = headShape): HeadPose | null {
  const up = shape.flatMap(([point]) => [landmarks[2 * point]!, -landmarks[2 * point + 1]!]);
  const start = fitSimilarity(
    shape.flatMap(([, x, y]) => [x, y]),
    up,
  );
  let scale = start ? Math.hypot(start.a, start.b) : 0;
  if (!start || !(scale > 0)) return null;
  let rotation = [start.a / scale, -start.b / scale, 0, start.b / scale, start.a / scale, 0, 0, 0, 1];
  let [left, top] = [start.x, start.y];
  let residual = 0;
  // Derivatives of x and y in the image by the rotation around each axis, the scale, and the shift.
  const jx = Float64Array.of(0, 0, 0, 0, 1, 0);
  const jy = Float64Array.of(0, 0, 0, 0, 0, 1);
  const matrix = Array.from({ length: 6 }, () => new Float64Array(6));
  const right = new Float64Array(6);
  for (let step = 0; step < ITERATIONS; step++) {
    for (const row of matrix) row.fill(0);
    right.fill(0);
    let [squares, all] = [0, 0];
    const r = rotation;
    for (let i = 0; i < shape.length; i++) {
      const place = shape[i]!;
      const [px, py, pz] = [place[1], place[2], place[3]];
      const weight = weightOf(place[0]);
      const x = r[0]! * px + r[1]! * py + r[2]! * pz;
      const y = r[3]! * px + r[4]! * py + r[5]! * pz;
      const z = r[6]! * px + r[7]! * py + r[8]! * pz;
      const dx = up[2 * i]! - scale * x - left;
      const dy = up[2 * i + 1]! - scale * y - top;
      jx[1] = scale * z;
      jx[2] = -scale * y;
      jx[3] = x;
      jy[0] = -scale * z;
      jy[2] = scale * x;
      jy[3] = y;
      for (let a = 0; a < 6; a++) {
        const row = matrix[a]!;
        for (let b = 0; b <= a; b++) row[b]! += weight * (jx[a]! * jx[b]! + jy[a]! * jy[b]!);
        right[a]! += weight * (jx[a]! * dx + jy[a]! * dy);
      }
      squares += weight * (dx * dx + dy * dy);
      all += weight;
    }
    residual = Math.sqrt(squares / all);
    const by = solve(matrix, right);
    if (!by) return null;
    const turn = [...by.subarray(0, 3)];
    const shorter = Math.min(1, LONGEST / Math.hypot(...turn));
    rotation = turned(rotation, turn.map((v) => v * shorter)); // prettier-ignore
    scale += by[3]!;
    left += by[4]!;
    top += by[5]!;
  }
  if (!(scale > 0)) return null;
  // The rotation (rows: x to the right, y up, z towards the camera) is yaw, then pitch, then roll.
  const yaw = Math.atan2(-rotation[6]!, rotation[8]!);
  const pitch = -Math.asin(Math.max(-1, Math.min(1, rotation[7]!)));
  return { yaw, pitch, roll: Math.atan2(rotation[1]!, rotation[4]!), scale, residual };
}

/**
 * Returns pose and openings of a face from its 68 landmarks (x and y of each, in pixels). Null for another number of
 * points, and if they are not a face. Accuracy: lab/results/accuracy.md.
 * @param confidence a face's `landmarkConfidence`, or that of `engine.landmarkFits`: a low value adds a warning
 */
export function measureFace(landmarks: ArrayLike<number>, confidence = NaN): FaceMeasures | null {
  const pose = poseOf(landmarks);
  return pose && measuresIn(pose, landmarks, confidence);
}

/** Null for a number of points other than 68, and if they are not a face. */
export const poseOf = (landmarks: ArrayLike<number>): HeadPose | null =>
  landmarks.length === 2 * POINTS && Array.prototype.every.call(landmarks, Number.isFinite) ? fitHead(landmarks) : null;

/** Measures from the landmarks of a head in this pose. */
export function measuresIn(pose: HeadPose, landmarks: ArrayLike<number>, confidence: number): FaceMeasures {
  const { yaw, pitch, roll, scale } = pose;
  const apart = (a: number, b: number) =>
    Math.hypot(landmarks[2 * a]! - landmarks[2 * b]!, landmarks[2 * a + 1]! - landmarks[2 * b + 1]!);
  // The widths are from the mean face at this scale, because turning the head does not change the opening.
  const eye = (first: number) => {
    const opening = (apart(first + 1, first + 5) + apart(first + 2, first + 4)) / (2 * EYE * scale);
    return { opening, closed: opening < eyeTable.closed };
  };
  const eyes = EYES * scale;
  const residual = pose.residual / eyes;
  const warnings = [];
  if (eyes < trust.eyes) warnings.push('The face is too small for reliable points. Move closer or use a larger image.');
  if (Math.abs(yaw) > trust.yaw || Math.abs(pitch) > trust.pitch)
    warnings.push('The face is turned too far for reliable points.');
  if (residual > trust.residual) warnings.push('The points do not form a face.');
  if (confidence < trust.confidence)
    warnings.push('The points may be wrong: the face is partly hidden, badly lit or not fully in the box.');
  return {
    ...{ yaw, pitch, roll, residual, confidence },
    ...{ eyes: [eye(36), eye(42)], mouthOpening: apart(62, 66) / (MOUTH * scale), warnings },
  };
}
