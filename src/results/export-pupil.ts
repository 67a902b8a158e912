/** The columns of a pupil recording, and a PupilResult as rows of it: one row an eye and frame, and the events of its eyes. */
import { covers, eventKinds } from './event-list.ts';
import { eyeSides } from './laterality.ts';
import type { Column, Recording } from './recording.ts';
import { sideCell, sideColumn } from './side-column.ts';
import type { Ellipse, EyeEvent, Pupil, PupilResult } from './types.ts';

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
  { name: 'pupil', type: 'number' },
  { name: 'eye', type: 'choice', values: eyeSides },
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
  { name: 'angle_deg', type: 'number', digits: 3, unit: 'degrees of the minor axis from +x towards +y' },
  { name: 'blink', type: 'boolean' },
  { name: 'event', type: 'choice', values: eventKinds },
  { name: 'dropped', type: 'number' },
  { name: 'throttled', type: 'number' },
  { name: 'glintX', type: 'number', digits: 3, unit: 'px' },
  { name: 'glintY', type: 'number', digits: 3, unit: 'px' },
  sideColumn,
];

const at = Object.fromEntries(pupilColumns.map(({ name }, index) => [name, index])) as Record<string, number>;

/** Of a recording of pupils. */
export const arePupilColumns = (columns: readonly Column[]): boolean =>
  columns.length === pupilColumns.length && columns.every(({ name }, i) => pupilColumns[i]?.name === name);

/**
 * Degrees, in [0, 180), of the minor axis: PupilEXT's angle, which is that of the width of OpenCV's RotatedRect. A circle has
 * no angle: 0.
 */
export const widthAngle = ({ major, minor, angle }: Pick<Ellipse, 'major' | 'minor' | 'angle'>): number =>
  major === minor ? 0 : ((angle * 180) / Math.PI + 90) % 180;

function row(pupil: Pupil, index: number, event: EyeEvent | undefined, timing: FrameTiming, side: number): number[] {
  const e = pupil.found ? pupil.ellipse : null;
  const seen = (value: number) => (pupil.found ? value : NaN);
  return [
    timing.frame,
    timing.timestamp,
    clocks.indexOf(timing.clock),
    timing.mediaTime,
    index,
    eyeSides.indexOf(pupil.eye),
    pupil.found ? 1 : 0,
    pupil.confidence,
    seen(pupil.outlineConfidence),
    seen(pupil.x),
    seen(pupil.y),
    seen(pupil.diameter),
    seen(pupil.diameterMm ?? NaN),
    e?.x ?? NaN,
    e?.y ?? NaN,
    e?.major ?? NaN,
    e?.minor ?? NaN,
    e ? widthAngle(e) : NaN,
    (event ? event.kind === 'blink' : pupil.blink) ? 1 : 0,
    event ? eventKinds.indexOf(event.kind) : NaN,
    timing.dropped,
    timing.throttled,
    pupil.glints?.[0]?.x ?? NaN,
    pupil.glints?.[0]?.y ?? NaN,
    side,
  ];
}

/**
 * One row an eye, in the order of `result.pupils` (0 is the left half of the image). Their flags are what was known with this
 * frame: `addEvents` replaces them when it is known what it was.
 */
export const pupilRows = (result: PupilResult, timing: FrameTiming): number[][] =>
  result.pupils.map((pupil, i) => {
    const event = result.events.find((one) => one.pupil === i && covers(one, result.timestamp));
    return row(pupil, i, event, timing, sideCell(result.side));
  });

/** What `event` says about the rows of its pupil from row `first`, which are in memory. */
function flag(recording: Recording, event: EyeEvent, first: number): void {
  for (let row = recording.length - 1; row >= first; row--) {
    if (recording.at(row, at.timestamp!) < event.onset) return;
    if (recording.at(row, at.pupil!) !== event.pupil) continue;
    const inside = covers(event, recording.at(row, at.timestamp!));
    recording.set(row, at.blink!, inside && event.kind === 'blink' ? 1 : 0);
    recording.set(row, at.event!, inside ? eventKinds.indexOf(event.kind) : NaN);
  }
}

/** Takes the events of a result into a recording, after its rows: what is known now replaces the flags of earlier rows. */
export function addEvents(recording: Recording, events: readonly EyeEvent[]): void {
  for (const event of events) {
    const before = recording.events.settle(event);
    // An event that goes on unchanged has flagged its rows already.
    if (!before || event.final || event.kind !== before.kind) flag(recording, event, recording.first);
  }
}

/** Flags the rows of a piece of a recording, as the list of the whole says. */
export function flagRows(piece: Recording, events: readonly EyeEvent[]): void {
  for (let row = piece.first; row < piece.length; row++) {
    piece.set(row, at.blink!, 0);
    piece.set(row, at.event!, NaN);
  }
  const first = piece.first < piece.length ? piece.at(piece.first, at.timestamp!) : Infinity;
  for (const event of events) if (event.offset >= first) flag(piece, event, piece.first);
}
