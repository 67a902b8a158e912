/** The columns of a face recording, and a FaceResult as rows of it: one row per face and frame. */
import { clocks, type FrameTiming, backendCell, backendColumn } from '../results/export-pupil.ts';
import { withFrame } from '../results/export.ts';
import type { Column } from '../results/recording.ts';
import type { Face, FaceResult } from '../results/types.ts';
import { measureFace } from './head.ts';

const POINTS = 68;

/** Columns for faces with 68 points. */
const measured: readonly Column[] = [
  { name: 'yaw', type: 'number', digits: 4, unit: 'rad' },
  { name: 'pitch', type: 'number', digits: 4, unit: 'rad' },
  { name: 'roll', type: 'number', digits: 4, unit: 'rad' },
  { name: 'poseResidual', type: 'number', digits: 4 },
  { name: 'leftEyeOpening', type: 'number', digits: 3 },
  { name: 'rightEyeOpening', type: 'number', digits: 3 },
  { name: 'mouthOpening', type: 'number', digits: 3 },
  { name: 'landmarkConfidence', type: 'number', digits: 3 },
  { name: 'leftEyeOpenness', type: 'number', digits: 3 },
  { name: 'rightEyeOpenness', type: 'number', digits: 3 },
  { name: 'blink', type: 'boolean' },
  { name: 'gazeYaw', type: 'number', digits: 4, unit: 'rad' },
  { name: 'gazePitch', type: 'number', digits: 4, unit: 'rad' },
];

/** Measures of one face, NaN if missing. */
function measuresOf({ landmarks, landmarkConfidence, openness, blink, gaze }: Face): number[] {
  const measures = landmarks && measureFace(landmarks);
  if (!measures) return measured.map(() => NaN);
  const { yaw, pitch, roll, residual, eyes, mouthOpening } = measures;
  return [
    ...[yaw, pitch, roll, residual, eyes[0].opening, eyes[1].opening, mouthOpening, landmarkConfidence],
    ...(openness ?? [NaN, NaN]),
    ...[blink === undefined ? NaN : Number(blink), gaze?.yaw ?? NaN, gaze?.pitch ?? NaN],
  ];
}

/** Columns with x and y of `points` landmarks after the box. With 68 landmarks, also with the measures of the head. */
export const faceColumns = (points: number): readonly Column[] => [
  { name: 'frame', type: 'number' },
  { name: 'timestamp', type: 'number', digits: 3, unit: 'ms' },
  { name: 'clock', type: 'choice', values: clocks },
  { name: 'mediaTime', type: 'number', digits: 3, unit: 'ms' },
  { name: 'face', type: 'number' },
  { name: 'x', type: 'number', digits: 2, unit: 'px' },
  { name: 'y', type: 'number', digits: 2, unit: 'px' },
  { name: 'width', type: 'number', digits: 2, unit: 'px' },
  { name: 'height', type: 'number', digits: 2, unit: 'px' },
  { name: 'score', type: 'number', digits: 4 },
  { name: 'detected', type: 'boolean' },
  { name: 'dropped', type: 'number' },
  { name: 'throttled', type: 'number' },
  ...Array.from({ length: 2 * points }, (_, i): Column => ({
    name: `${i % 2 ? 'y' : 'x'}${i >> 1}`,
    type: 'number',
    digits: 2,
    unit: 'px',
  })),
  ...(points === POINTS ? measured : []),
  backendColumn,
];

/** A frame without a face has one row with face 0 and no numbers. */
export function faceRows(result: FaceResult, timing: FrameTiming, points: number): number[][] {
  const backend = backendCell(result.backend);
  const head = [timing.frame, timing.timestamp, clocks.indexOf(timing.clock), timing.mediaTime];
  const tail = [timing.dropped, timing.throttled];
  const none = new Array<number>(2 * points).fill(NaN);
  const more = points === POINTS;
  const rows = result.faces.map((face) => {
    const { id, x, y, width, height, score, detected, landmarks } = face;
    const shape = landmarks?.length === 2 * points ? [...landmarks] : none;
    const measures = more ? measuresOf(face) : [];
    return [...head, id, x, y, width, height, score, detected ? 1 : 0, ...tail, ...shape, ...measures, backend];
  });
  return withFrame(rows, faceColumns(points), timing, { face: 0, backend });
}
