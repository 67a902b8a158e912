/**
 * The columns of a recorded track, a result as rows of the track (one per target and frame), and the track in the MOT
 * format.
 */
import { clocks, type FrameTiming, backendCell, backendColumn } from './export-pupil.ts';
import { withFrame } from './export.ts';
import type { Column, Recording } from './recording.ts';
import type { ObjectResult } from './types.ts';

const finders = ['none', 'tracker', 'detector', 'both'] as const;
const corrections = ['box', 'track'] as const;

export const objectColumns: readonly Column[] = [
  { name: 'frame', type: 'number' },
  { name: 'timestamp', type: 'number', digits: 3, unit: 'ms' },
  { name: 'clock', type: 'choice', values: clocks },
  { name: 'mediaTime', type: 'number', digits: 3, unit: 'ms' },
  { name: 'target', type: 'number' },
  { name: 'found', type: 'boolean' },
  { name: 'x', type: 'number', digits: 2, unit: 'px' },
  { name: 'y', type: 'number', digits: 2, unit: 'px' },
  { name: 'width', type: 'number', digits: 2, unit: 'px' },
  { name: 'height', type: 'number', digits: 2, unit: 'px' },
  { name: 'confidence', type: 'number', digits: 4 },
  { name: 'by', type: 'choice', values: finders },
  { name: 'learning', type: 'boolean' },
  { name: 'angle', type: 'number', digits: 4, unit: 'rad' },
  { name: 'dropped', type: 'number' },
  { name: 'throttled', type: 'number' },
  backendColumn,
  { name: 'corrected', type: 'choice', values: corrections },
];

/** Returns the rows of a frame. A frame without a tracked target has one row without a target. */
export function objectRows(result: ObjectResult, timing: FrameTiming): number[][] {
  const backend = backendCell(result.backend);
  const rows = result.targets.map(({ id, box, confidence, by, learning, angle = NaN, corrected }) => [
    timing.frame,
    timing.timestamp,
    clocks.indexOf(timing.clock),
    timing.mediaTime,
    id,
    box ? 1 : 0,
    box?.x ?? NaN,
    box?.y ?? NaN,
    box?.width ?? NaN,
    box?.height ?? NaN,
    confidence,
    finders.indexOf(by),
    learning ? 1 : 0,
    angle,
    timing.dropped,
    timing.throttled,
    backend,
    corrected ? corrections.indexOf(corrected) : NaN,
  ]);
  return withFrame(rows, objectColumns, timing, { by: finders.indexOf('none'), backend });
}

/**
 * The track in the format of the MOT challenge: frame, id, left, top, width, height, confidence, -1, -1, -1. Frames and
 * pixels count from 1. Frames without the target have no line.
 */
export function toMot(recording: Recording): string {
  const column = (name: string) => recording.columns.findIndex((one) => one.name === name);
  const [frame, id, found, confidence] = ['frame', 'target', 'found', 'confidence'].map(column) as [
    number,
    number,
    number,
    number,
  ];
  const sides = ['x', 'y', 'width', 'height'].map(column);
  const lines: string[] = [];
  for (let row = 0; row < recording.length; row++) {
    if (!recording.cell(row, found)) continue;
    const numbers = sides.map((name, i) => (Number(recording.cell(row, name)) + (i < 2 ? 1 : 0)).toFixed(2));
    const at = Number(recording.cell(row, frame)) + 1;
    lines.push([at, recording.cell(row, id), ...numbers, recording.cell(row, confidence), -1, -1, -1].join(','));
  }
  return lines.map((line) => `${line}\n`).join('');
}
