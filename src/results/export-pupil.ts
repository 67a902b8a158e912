/** The columns of a pupil recording, and a PupilResult as rows of it: one row an eye and frame. */
import type { Column } from './recording.ts';
import { sideCell, sideColumn } from './side-column.ts';
import type { Pupil, PupilResult } from './types.ts';

export const clocks = ['capture', 'media', 'arrival'] as const;
/**
 * Where a timestamp comes from: `capture` the camera's capture time, `media` the recording's own time, `arrival` the
 * time at which the page saw the frame. All in milliseconds.
 */
export type Clock = (typeof clocks)[number];

/** What the page knows of a frame beside the result. */
export interface FrameTiming {
  /** Counts from 0 with the source, dropped frames included. */
  frame: number;
  timestamp: number;
  clock: Clock;
  /** Position in the recording, ms; NaN where there is none. Differs from timestamp when a clip is played in a loop. */
  mediaTime: number;
  /** Frames missing directly before this one, for any reason; `throttled` of them were left out on purpose (max-fps). */
  dropped: number;
  throttled: number;
}

export const pupilColumns: readonly Column[] = [
  { name: 'frame', type: 'number' },
  { name: 'timestamp', type: 'number', digits: 3, unit: 'ms' },
  { name: 'clock', type: 'choice', values: clocks },
  { name: 'mediaTime', type: 'number', digits: 3, unit: 'ms' },
  { name: 'eye', type: 'number' },
  { name: 'found', type: 'boolean' },
  { name: 'confidence', type: 'number', digits: 4 },
  { name: 'outlineConfidence', type: 'number', digits: 4 },
  { name: 'x', type: 'number', digits: 3, unit: 'px' },
  { name: 'y', type: 'number', digits: 3, unit: 'px' },
  { name: 'diameter', type: 'number', digits: 3, unit: 'px' },
  { name: 'diameterMm', type: 'number', digits: 4, unit: 'mm' },
  { name: 'ellipseX', type: 'number', digits: 3, unit: 'px' },
  { name: 'ellipseY', type: 'number', digits: 3, unit: 'px' },
  { name: 'major', type: 'number', digits: 3, unit: 'px' },
  { name: 'minor', type: 'number', digits: 3, unit: 'px' },
  { name: 'angle', type: 'number', digits: 5, unit: 'rad' },
  { name: 'blink', type: 'boolean' },
  { name: 'dropped', type: 'number' },
  { name: 'throttled', type: 'number' },
  { name: 'glintX', type: 'number', digits: 3, unit: 'px' },
  { name: 'glintY', type: 'number', digits: 3, unit: 'px' },
  sideColumn,
];

/** Of a recording of pupils; those of earlier versions lack the last column. */
export const arePupilColumns = (columns: readonly Column[]): boolean =>
  columns.length >= pupilColumns.length - 1 && columns.every(({ name }, i) => pupilColumns[i]?.name === name);

function row(pupil: Pupil, eye: number, timing: FrameTiming, side: number): number[] {
  const e = pupil.found ? pupil.ellipse : null;
  const seen = (value: number) => (pupil.found ? value : NaN);
  return [
    timing.frame,
    timing.timestamp,
    clocks.indexOf(timing.clock),
    timing.mediaTime,
    eye,
    pupil.found ? 1 : 0,
    pupil.confidence,
    pupil.outlineConfidence,
    seen(pupil.x),
    seen(pupil.y),
    seen(pupil.diameter),
    seen(pupil.diameterMm ?? NaN),
    e?.x ?? NaN,
    e?.y ?? NaN,
    e?.major ?? NaN,
    e?.minor ?? NaN,
    e?.angle ?? NaN,
    pupil.blink ? 1 : 0,
    timing.dropped,
    timing.throttled,
    pupil.glints?.[0]?.x ?? NaN,
    pupil.glints?.[0]?.y ?? NaN,
    side,
  ];
}

/** One row an eye, in the order of `result.pupils` (0 is the left half of the image). */
export const pupilRows = (result: PupilResult, timing: FrameTiming): number[][] =>
  result.pupils.map((pupil, eye) => row(pupil, eye, timing, sideCell(result.side)));
