/**
 * A recording: one row per pupil (or box, or face) and frame, and the markers between them. Rows are stored in one
 * growing Float64Array, so an hour at 200 Hz takes 100 MB instead of a million objects. Booleans are stored as 0 and 1,
 * choices as an index.
 */
import { FoveolaError } from '../runtime/error.ts';
import { EventList } from './event-list.ts';
import type { Capabilities, PupilCorrection } from './types.ts';

export type Cell = number | boolean | string | null;

export interface Column {
  readonly name: string;
  readonly type: 'number' | 'boolean' | 'choice';
  /** The values of a choice. The row contains the index. */
  readonly values?: readonly string[];
  /** Decimal places in exports. The full number if absent. */
  readonly digits?: number;
  readonly unit?: string;
}

export interface Marker {
  label: string;
  /** Milliseconds on the clock of the rows. */
  timestamp: number;
}

/** Subject, session, trial and note, as given by the page or the user. */
export interface About {
  subject?: string;
  session?: string;
  trial?: string;
  note?: string;
}

/** Origin of the scale of a recording. */
export interface CalibrationNote {
  millimetresPerPixel: number;
  /** The object that was marked in the image. 'given': only the number is known. */
  method: 'disc' | 'ruler' | 'iris' | 'given';
  /** The marked length. */
  pixels?: number;
  millimetres?: number;
  /** All millimeters may be off by this many percent: by one pixel of the mark, or because irises differ. */
  uncertaintyPercent?: number;
}

/** Metadata of a recording. It contains everything needed to understand an export without the page. */
export interface RecordingHeader {
  software: 'foveola';
  version: string;
  notice: string;
  /** ISO 8601 wall-clock time of the first row. Null until there is one. */
  started: string | null;
  /** Only if any of its texts was given. */
  about?: About;
  source: {
    name: string;
    kind: string;
    /** SHA-256 of the file's bytes in hex. Null for a camera and for sources that are not files. */
    sha256: string | null;
    width: number;
    height: number;
    /** Changes and omissions when the source was read, as messages. */
    notes?: string[];
  };
  /** All parameters, including defaults, as they were at the first row. */
  parameters: Record<string, unknown>;
  /** Parameters that changed during the recording. */
  changes?: { timestamp: number; parameters: Record<string, unknown> }[];
  /** The backend that computed the results, or 'both'. The renderer and the number of threads are in `capabilities`. */
  backend: string;
  renderer: string | null;
  threads: number;
  /** Capabilities of the engine on that page. */
  capabilities?: Capabilities;
  /** Only for a recording that was analyzed frame by frame. */
  analysis?: AnalysisNote;
  /** Origin of the timestamps; see docs/data-format.md. */
  clock: string;
  frames: number;
  dropped: number;
  /** Only in exports of an element with a scale in millimeters. */
  calibration?: CalibrationNote;
  /** Only if the rows were corrected by hand. In the order in which they were made. */
  corrections?: readonly PupilCorrection[];
  /** Only for a recording that was stored on the device and read back. See docs/crash-recovery.md. */
  recovery?: RecoveryNote;
}

/** State of a stored recording. */
export interface RecoveryNote {
  /** False if the recording ended with its page (a crash, a closed tab) and was not stopped. */
  ended: boolean;
  /** Bytes at its end that were being written when it broke off, plus damaged bytes before. */
  tornBytes: number;
  damagedBytes: number;
  /** Number of blocks missing in the middle. A block contains half a second of measurements. */
  lostBlocks: number;
}

/** How much of a recording was analyzed. */
export interface AnalysisNote {
  /** False if it was played back because it could not be decoded frame by frame. `reason` contains the cause. */
  everyFrame: boolean;
  /** Whether the analysis got to the end. If not, `reason` contains the cause. */
  complete: boolean;
  reason: string | null;
  /** Position of the last frame in the recording, ms. Null without any frame. */
  lastMediaTime: number | null;
  /**
   * Positions where the timestamps of the file decrease or jump, ms. Only the first hundred. The timestamps of the rows
   * increase in any case.
   */
  jumps: number[];
  /** Number of frames with the same time as the previous one. */
  repeated: number;
  /**
   * For a stack or an animation, how many of its pages were read, such as '1 of 6'. The others are left out, and
   * `complete` is false.
   */
  pages?: string;
}

const released = 'These rows are only on the device. Read them with savedRecordings().';

export const notice = 'For research use, not a medical device.';

export class Recording {
  readonly columns: readonly Column[];
  readonly markers: Marker[] = [];
  /** Blinks, closures and losses of a pupil recording. `addEvents` also writes them into the rows. */
  readonly events = new EventList();
  /** Cells of the rows starting at `first`. */
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

  /** The first row in memory. It is 0 unless earlier rows were released because they are stored elsewhere. */
  get first(): number {
    return this.#first;
  }

  /** Releases the memory of the rows before `row`. */
  release(row: number): void {
    const width = this.columns.length;
    this.#cells.copyWithin(0, (row - this.#first) * width, (this.#rows - this.#first) * width);
    this.#first = row;
  }

  /** Adds a row: one number per column, in the order of `columns`. NaN for a missing value. */
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

  /** A cell as exported: NaN and infinities become null. */
  cell(row: number, column: number): Cell {
    const value = this.at(row, column);
    if (!Number.isFinite(value)) return null;
    const { type, values, digits } = this.columns[column]!;
    if (type === 'boolean') return value !== 0;
    if (type === 'choice') return values?.[value] ?? null;
    return digits === undefined ? value : Number(value.toFixed(digits));
  }

  /**
   * Markers for each row. A marker belongs to the first row at or after its time. If it came after all rows, it belongs
   * to the last one. Rows are in order of time.
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
