/** The columns of a face recording, and a FaceResult as rows of it: one row a face and frame. */
import { clocks, type FrameTiming } from './export-pupil.ts';
import type { Column } from './recording.ts';
import type { FaceResult } from './types.ts';

/** With x and y of `points` landmarks behind the box. */
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
];

/** A frame without a face gives one row with face 0 and no numbers. */
export function faceRows({ faces }: FaceResult, timing: FrameTiming, points: number): number[][] {
  const head = [timing.frame, timing.timestamp, clocks.indexOf(timing.clock), timing.mediaTime];
  const tail = [timing.dropped, timing.throttled];
  const none = new Array<number>(2 * points).fill(NaN);
  if (!faces.length) return [[...head, 0, NaN, NaN, NaN, NaN, NaN, 0, ...tail, ...none]];
  return faces.map(({ id, x, y, width, height, score, detected, landmarks }) => {
    const shape = landmarks?.length === 2 * points ? [...landmarks] : none;
    return [...head, id, x, y, width, height, score, detected ? 1 : 0, ...tail, ...shape];
  });
}
