/** The columns of a pupil recording, a PupilResult as rows (one per eye and frame), and the events of its eyes. */
import type { Column, Recording } from './recording.ts';
import type { ResultBackend, Ellipse, EyeEvent, Pupil, PupilCorrection, PupilResult } from './types.ts';
import { covers, eventKinds } from './event-list.ts';
import { eyeSides } from './laterality.ts';

// The backend of each row. It shows which frames ran on the other backend, for example after a lost context.

const backends: readonly ResultBackend[] = ['wasm', 'gpu', 'both'];

export const backendColumn: Column = { name: 'backend', type: 'choice', values: backends };

/** Cell of a backend. Empty if the result does not name one. */
export const backendCell = (backend: ResultBackend | undefined): number => (backend ? backends.indexOf(backend) : NaN);

export const clocks = ['capture', 'media', 'arrival'] as const;
/**
 * Origin of a timestamp. `capture`: capture time of the camera. `media`: time of the recording. `arrival`: when the
 * page received the frame. All in milliseconds.
 */
export type Clock = (typeof clocks)[number];

/** Data of the page about a frame, in addition to the result. */
export interface FrameTiming {
  /** Frame number of the source, starting at 0 and including dropped frames. */
  frame: number;
  timestamp: number;
  clock: Clock;
  /** Position in the recording, ms. NaN without one. Differs from `timestamp` if a video plays in a loop. */
  mediaTime: number;
  /** Frames missing directly before this one, for any reason. `throttled` of them were skipped on purpose (max-fps). */
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
  { name: 'coveredByLids', type: 'number', digits: 3 },
  { name: 'irisDiameter', type: 'number', digits: 3, unit: 'px' },
  backendColumn,
];

const at = Object.fromEntries(pupilColumns.map(({ name }, index) => [name, index])) as Record<string, number>;

export const correctionActions = [
  'outline',
  'exclude',
  'blink',
  'open',
] as const satisfies readonly PupilCorrection['action'][];

/** The last column of a recording that was corrected by hand: the correction that changed the row. Empty if none did. */
export const correctedColumn: Column = { name: 'corrected', type: 'choice', values: correctionActions };

/** Whether the columns belong to a pupil recording. */
export const arePupilColumns = (columns: readonly Column[]): boolean =>
  columns.length >= pupilColumns.length &&
  columns.length <= pupilColumns.length + 1 &&
  columns.every(({ name }, i) => [...pupilColumns, correctedColumn][i]?.name === name);

/** Whether the recording was corrected by hand. */
export const isCorrected = ({ columns }: Pick<Recording, 'columns'>): boolean =>
  columns.at(-1)?.name === correctedColumn.name;

/**
 * Angle of the minor axis in degrees, in [0, 180). It is the angle in PupilEXT, which uses the width of OpenCV's
 * RotatedRect. A circle has no angle: 0.
 */
export const widthAngle = ({ major, minor, angle }: Pick<Ellipse, 'major' | 'minor' | 'angle'>): number =>
  major === minor ? 0 : ((angle * 180) / Math.PI + 90) % 180;

function row(pupil: Pupil, index: number, event: EyeEvent | undefined, timing: FrameTiming, backend: number): number[] {
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
    pupil.coveredByLids ?? NaN,
    pupil.irisDiameter ?? NaN,
    backend,
  ];
}

/**
 * One row per eye, in the order of `result.pupils` (0 is the left half of the image). The flags contain what was known
 * with this frame. `addEvents` replaces them once the event is classified.
 */
export const pupilRows = (result: PupilResult, timing: FrameTiming): number[][] =>
  result.pupils.map((pupil, i) => {
    const event = result.events.find((one) => one.pupil === i && covers(one, result.timestamp));
    return row(pupil, i, event, timing, backendCell(result.backend));
  });

/** Writes an event into the rows of its pupil, starting at row `first`. The rows are in memory. */
function flag(recording: Recording, event: EyeEvent, first: number): void {
  for (let row = recording.length - 1; row >= first; row--) {
    if (recording.at(row, at.timestamp!) < event.onset) return;
    if (recording.at(row, at.pupil!) !== event.pupil) continue;
    const inside = covers(event, recording.at(row, at.timestamp!));
    recording.set(row, at.blink!, inside && event.kind === 'blink' ? 1 : 0);
    recording.set(row, at.event!, inside ? eventKinds.indexOf(event.kind) : NaN);
  }
}

/** Adds the events of a result to a recording, after its rows. They replace the flags of earlier rows. */
export function addEvents(recording: Recording, events: readonly EyeEvent[]): void {
  for (const event of events) {
    const before = recording.events.settle(event);
    // The rows of an ongoing, unchanged event already have their flags.
    if (!before || event.final || event.kind !== before.kind) flag(recording, event, recording.first);
  }
}

/** Flags the rows of a part of a recording, using the events of the whole recording. */
export function flagRows(piece: Recording, events: readonly EyeEvent[]): void {
  for (let row = piece.first; row < piece.length; row++) {
    piece.set(row, at.blink!, 0);
    piece.set(row, at.event!, NaN);
  }
  const first = piece.first < piece.length ? piece.at(piece.first, at.timestamp!) : Infinity;
  for (const event of events) if (event.offset >= first) flag(piece, event, piece.first);
}
