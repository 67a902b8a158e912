/**
 * A recording: one row a pupil (or box, or face) and frame, and the markers between them. Rows are kept in one growing
 * Float64Array, so that an hour at 200 Hz is 100 MB and not a million objects; booleans are 0 and 1, choices an index.
 */
import { FoveolaError } from '../runtime/error.ts';
import { EventList } from './event-list.ts';
import type { Capabilities } from './types.ts';

export type Cell = number | boolean | string | null;

export interface Column {
  readonly name: string;
  readonly type: 'number' | 'boolean' | 'choice';
  /** The words of a choice; the row holds the index. */
  readonly values?: readonly string[];
  /** Digits after the point in exports; the full number without it. */
  readonly digits?: number;
  readonly unit?: string;
}

export interface Marker {
  label: string;
  /** Milliseconds on the clock of the recording's rows. */
  timestamp: number;
}

/** What a recording says about itself. Everything an export needs to be understood without the page. */
export interface RecordingHeader {
  software: 'foveola';
  version: string;
  notice: string;
  /** ISO 8601 wall-clock time of the first row; null before there is one. */
  started: string | null;
  source: {
    name: string;
    kind: string;
    /** SHA-256 of the file's bytes in hex; null for a camera and for what is not a file. */
    sha256: string | null;
    width: number;
    height: number;
    /** What was changed or left out when it was read, in plain words. */
    notes?: string[];
  };
  /** All of them, defaults too, as they were at the first row. */
  parameters: Record<string, unknown>;
  /** Parameters that were changed while it ran. */
  changes?: { timestamp: number; parameters: Record<string, unknown> }[];
  /** The side that computed the results, or 'both'; the renderer and the threads as in `capabilities`. */
  backend: string;
  renderer: string | null;
  threads: number;
  /** What the engine could do on that page. */
  capabilities?: Capabilities;
  /** Only of a recording that was analysed frame by frame. */
  analysis?: AnalysisNote;
  /** Origin of the timestamps; see docs/embedding.md. */
  clock: string;
  frames: number;
  dropped: number;
  /** Only of a recording that was kept on the device and read back; see docs/kept-recordings.md. */
  recovery?: RecoveryNote;
}

/** What a kept recording says of what became of it. */
export interface RecoveryNote {
  /** False: it ended with its page (a crash, a closed tab), not by being stopped. */
  ended: boolean;
  /** Bytes at its end that were being written when it broke off, and damaged ones before. */
  tornBytes: number;
  damagedBytes: number;
  /** Blocks that are missing in the middle of it; a block holds what was measured in half a second. */
  lostBlocks: number;
}

/** How much of a recording was analysed. */
export interface AnalysisNote {
  /** False: it was played, because it could not be decoded frame by frame; `reason` says why. */
  everyFrame: boolean;
  /** Whether the end was reached; else `reason` says what came before. */
  complete: boolean;
  reason: string | null;
  /** Milliseconds into the recording of the last frame; null without one. */
  lastMediaTime: number | null;
  /** Where the file's own times went back or leapt, ms, the first hundred. The rows' timestamps grow nevertheless. */
  jumps: number[];
  /** Frames with the time of the one before. */
  repeated: number;
  /** Of a stack or an animation, how many of its pages were read: '1 of 6'. The others are left out: `complete` is false. */
  pages?: string;
}

const released = 'These rows are only on the device. Read them with keptRecordings().';

export const notice = 'For research use, not a medical device.';

export class Recording {
  readonly columns: readonly Column[];
  readonly markers: Marker[] = [];
  /** Blinks, closures and losses of a recording of pupils; `addEvents` puts them into the rows as well. */
  readonly events = new EventList();
  /** Those of the rows from `first` on. */
  #cells: Float64Array<ArrayBuffer>;
  #rows = 0;
  #first = 0;

  constructor(columns: readonly Column[], capacity = 1024) {
    this.columns = columns;
    this.#cells = new Float64Array(capacity * columns.length);
  }

  get length(): number {
    return this.#rows;
  }

  /** The first row that is in memory: 0, unless those before were released because they are kept elsewhere. */
  get first(): number {
    return this.#first;
  }

  /** Gives back the memory of the rows before `row`. */
  release(row: number): void {
    const width = this.columns.length;
    this.#cells.copyWithin(0, (row - this.#first) * width, (this.#rows - this.#first) * width);
    this.#first = row;
  }

  /** One number a column, in the order of `columns`; NaN where there is nothing to say. */
  push(values: ArrayLike<number>): void {
    const width = this.columns.length;
    const at = (this.#rows - this.#first) * width;
    if (at + width > this.#cells.length) {
      const larger = new Float64Array(this.#cells.length * 2);
      larger.set(this.#cells);
      this.#cells = larger;
    }
    this.#cells.set(values, at);
    this.#rows++;
  }

  mark(label: string, timestamp: number): Marker {
    const marker = { label, timestamp };
    this.markers.push(marker);
    return marker;
  }

  /** The raw number of a cell. */
  at(row: number, column: number): number {
    if (row < this.#first) throw new FoveolaError('source-not-ready', released);
    return this.#cells[(row - this.#first) * this.columns.length + column]!;
  }

  /** Changes the raw number of a cell that is in memory. */
  set(row: number, column: number, value: number): void {
    this.#cells[(row - this.#first) * this.columns.length + column] = value;
  }

  /** A cell as it is exported: NaN and infinities become null. */
  cell(row: number, column: number): Cell {
    const value = this.at(row, column);
    if (!Number.isFinite(value)) return null;
    const { type, values, digits } = this.columns[column]!;
    if (type === 'boolean') return value !== 0;
    if (type === 'choice') return values?.[value] ?? null;
    return digits === undefined ? value : Number(value.toFixed(digits));
  }

  /**
   * For each row the labels of the markers that belong to it: a marker goes to the first row at or after its time, or to
   * the last row when it came after all of them. Rows are in order of time.
   */
  markersByRow(timeColumn: number): Map<number, Marker[]> {
    const byRow = new Map<number, Marker[]>();
    for (const marker of this.markers) {
      let low = this.#first;
      let high = this.#rows;
      while (low < high) {
        const middle = (low + high) >> 1;
        if (this.at(middle, timeColumn) < marker.timestamp) low = middle + 1;
        else high = middle;
      }
      const row = Math.min(low, this.#rows - 1);
      if (row < 0) continue;
      const list = byRow.get(row);
      if (list) list.push(marker);
      else byRow.set(row, [marker]);
    }
    return byRow;
  }
}
