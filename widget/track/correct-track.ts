/**
 * After an analysis, a corrected box changes the rows around it: the target is tracked on from the box in both
 * directions. Loaded with tools.js.
 */
import type { Engine, FoveolaError, frames, Recording } from '../../src/index.ts';
import type { Settings } from '../base/kind.ts';
import { rowsOf, type TrackRow } from './motion.ts';
import { type Tracked, trackOn } from './track-on.ts';

export interface CorrectTrackGiven {
  /** Parts of the element. */
  readonly parts: {
    readonly feed: { readonly file?: Blob | string | undefined } | null;
    readonly recorder: { readonly recording: Recording | null };
    readonly session: { takeEngine(): Promise<Engine> };
    readonly settings: {
      readonly parameters: Settings;
      remember(deed: { undo(): void; redo(): void; ofSource: true }): void;
    };
  };
  readonly frames: typeof frames;
  asOurs(error: unknown): FoveolaError;
  readonly id: number;
  readonly model: Uint8Array;
  /** Boxes of the target drawn by hand, with the times of their frames. The last one is new. */
  readonly marks: readonly { readonly timestamp: number; readonly box: NonNullable<Tracked['box']> }[];
  /** States that differ from the results of the analysis, by time and target. */
  readonly corrected: Map<number, Map<number, Tracked>>;
  readonly signal: AbortSignal;
  /** The rows have changed. */
  changed(): void;
}

const finders = ['none', 'tracker', 'detector', 'both'];
const corrections = ['box', 'track'];

/** Row whose frame has this time, or is next to it. */
const nearest = (rows: readonly TrackRow[], timestamp: number): TrackRow =>
  rows.reduce((best, row) => (Math.abs(row.timestamp - timestamp) < Math.abs(best.timestamp - timestamp) ? row : best));

const names = ['found', 'x', 'y', 'width', 'height', 'confidence', 'by', 'learning', 'angle', 'corrected'];

/** Cells of `names`. */
const cellsOf = ({ box, confidence, by, learning, angle = NaN, corrected = 'track' }: Tracked): number[] => [
  ...[box ? 1 : 0, box?.x ?? NaN, box?.y ?? NaN, box?.width ?? NaN, box?.height ?? NaN],
  ...[confidence, finders.indexOf(by), learning ? 1 : 0, angle, corrections.indexOf(corrected)],
];

/** Writes rows of the recording. Returns a function that restores them. */
function write(recording: Recording, rows: readonly TrackRow[], states: ReadonlyMap<number, Tracked>): () => void {
  const columns = names.map((name) => recording.columns.findIndex((column) => column.name === name));
  const before = rows
    .filter(({ frame }) => states.has(frame))
    .map(({ row, frame }) => {
      const cells = columns.map((column) => recording.at(row, column));
      const after = cellsOf(states.get(frame)!);
      columns.forEach((column, i) => recording.set(row, column, after[i]!));
      return { row, cells };
    });
  return () => {
    for (const { row, cells } of before) columns.forEach((column, i) => recording.set(row, column, cells[i]!));
  };
}

/** Resolves with the number of changed frames. 0: the recording does not have the target. */
export async function correctTrack(given: CorrectTrackGiven): Promise<number> {
  const { parts, id, model, marks, corrected, signal, changed } = given;
  const { recording } = parts.recorder;
  const rows = recording ? [...rowsOf(recording, id)] : [];
  const mark = marks.at(-1);
  if (!recording || !rows.length || !mark) return 0;
  const at = nearest(rows, mark.timestamp).frame;
  const others = marks.slice(0, -1).map(({ timestamp }) => nearest(rows, timestamp).frame);
  const states = await trackOn({
    ...{ engine: await parts.session.takeEngine(), parameters: parts.settings.parameters, model, signal },
    ...{ frames: given.frames, asOurs: given.asOurs, source: parts.feed!.file!, at, box: mark.box },
    recorded: new Map(rows.map(({ frame, box }) => [frame, box])),
    from: Math.max(-1, ...others.filter((frame) => frame < at)),
    to: Math.min(Infinity, ...others.filter((frame) => frame > at)),
  });
  if (signal.aborted || recording !== parts.recorder.recording) return 0;
  let restore = () => {};
  const times = rows.filter(({ frame }) => states.has(frame));
  const before = times.map(({ timestamp }) => corrected.get(timestamp)?.get(id));
  const put = (timestamp: number, state: Tracked | undefined) => {
    const targets = new Map(corrected.get(timestamp));
    if (state) targets.set(id, state);
    else targets.delete(id);
    corrected.set(timestamp, targets);
  };
  const redo = () => {
    restore = write(recording, rows, states);
    for (const { timestamp, frame } of times) put(timestamp, states.get(frame));
    changed();
  };
  const undo = () => {
    restore();
    times.forEach(({ timestamp }, i) => put(timestamp, before[i]));
    changed();
  };
  redo();
  parts.settings.remember({ undo, redo, ofSource: true });
  return times.length;
}
