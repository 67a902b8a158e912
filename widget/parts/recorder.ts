/** What an element records: rows while it is on, markers, and the header of the exports. */
import {
  addEvents,
  type AnalysisNote,
  type Capabilities,
  type Column,
  type EyeEvent,
  type FrameTiming,
  type Marker,
  notice,
  Recording,
  type RecordingHeader,
  toCsv,
  toJson,
} from '../../src/index.ts';
import type { Feed } from './feed.ts';
import { sha256 } from './hash.ts';
import { type Sides, version } from '../../src/index.ts';

/** What was in use while the rows were written. */
export interface Circumstances {
  feed: Feed;
  capabilities: Capabilities;
  /** All of them, with the defaults. */
  parameters: Record<string, unknown>;
  clock: string;
}

/** Writes a recording in a format. */
export type Writer = (recording: Recording, header: RecordingHeader) => string;

export class Recorder {
  #recording: Recording | null = null;
  #about: Circumstances | null = null;
  #hash: Promise<unknown> = Promise.resolve();
  #sha256: string | null = null;
  #started: string | null = null;
  #frames = 0;
  /** Timestamp of the first row. */
  #from = 0;
  #lastFrame = -1;
  #dropped = 0;
  #side: Sides | null = null;
  #active = false;
  #changes: NonNullable<RecordingHeader['changes']> = [];
  /** Set while and after a recording is analysed frame by frame. */
  analysis: AnalysisNote | null = null;
  /** Exports of a recording whose first rows are no longer in memory; set where recordings are kept on the device. */
  long: ((format: 'csv' | 'json', options: object) => AsyncIterable<string>) | null = null;

  get active(): boolean {
    return this.#active;
  }

  /** Name of what was recorded. */
  get sourceName(): string {
    return this.#about?.feed.name ?? '';
  }

  get rows(): number {
    return this.#recording?.length ?? 0;
  }

  start(columns: readonly Column[], about: Circumstances): void {
    this.#recording = new Recording(columns);
    this.#about = about;
    // The feed may be gone when the export is asked for.
    this.#sha256 = null;
    this.#hash = sha256(about.feed.bytes).then((hash) => this.#about === about && (this.#sha256 = hash));
    this.#started = null;
    this.#frames = this.#dropped = 0;
    this.#lastFrame = -1;
    this.#changes = [];
    this.analysis = null;
    this.#side = null;
    this.#active = true;
  }

  stop(): void {
    this.#active = false;
  }

  /** `events`: of the result, blinks and the like. */
  add(rows: number[][], timing: FrameTiming, clock: string, side?: Sides, events: readonly EyeEvent[] = []): void {
    if (!this.#active || !this.#recording || !this.#about) return;
    if (timing.frame <= this.#lastFrame) return; // seen again with other settings, while nothing plays
    this.#lastFrame = timing.frame;
    this.#started ??= new Date().toISOString();
    this.#about.clock = clock;
    if (!this.#frames++) this.#from = timing.timestamp;
    if (side) this.#side = this.#side && this.#side !== side ? 'both' : side;
    // What was dropped before the first row is not missing in the recording.
    if (this.#frames > 1) this.#dropped += timing.dropped;
    for (const row of rows) this.#recording.push(row);
    addEvents(
      this.#recording,
      events.filter(({ offset }) => offset >= this.#from),
    );
  }

  mark(label: string, timestamp: number): Marker | null {
    return this.#active && this.#recording ? this.#recording.mark(label, timestamp) : null;
  }

  /** Parameters have changed while it runs. */
  changed(parameters: Record<string, unknown>, timestamp: number): void {
    if (this.#active) this.#changes.push({ timestamp, parameters });
  }

  /** Takes a marker back, or puts it in again. */
  unmark(marker: Marker): void {
    const markers = this.#recording?.markers;
    const index = markers?.indexOf(marker) ?? -1;
    if (index >= 0) markers!.splice(index, 1);
  }

  remark(marker: Marker): void {
    this.#recording?.markers.push(marker);
  }

  csv(write: Writer = toCsv, options: object = {}): Promise<string> {
    return this.#text('csv', write, options);
  }

  json(write: Writer = toJson, options: object = {}): Promise<string> {
    return this.#text('json', write, options);
  }

  /** What was recorded last; null before the first time. */
  get recording(): Recording | null {
    return this.#recording;
  }

  async #text(format: 'csv' | 'json', write: Writer, options: object): Promise<string> {
    const recording = this.#recording ?? new Recording([]);
    if (!this.long || !recording.first) return write(recording, await this.wholeHeader());
    let text = '';
    for await (const part of this.long(format, options)) text += part;
    return text;
  }

  /** With the hash of the source, which may take a while. */
  async wholeHeader(): Promise<RecordingHeader> {
    await this.#hash;
    return this.header;
  }

  /** As it is now. */
  get header(): RecordingHeader {
    const about = this.#about;
    return {
      software: 'foveola',
      version,
      notice,
      started: this.#started,
      source: {
        name: about?.feed.name ?? '',
        kind: about?.feed.kind ?? '',
        sha256: this.#sha256,
        width: about?.feed.width ?? 0,
        height: about?.feed.height ?? 0,
      },
      parameters: about?.parameters ?? {},
      backend: this.#side ?? about?.capabilities.backend ?? '',
      renderer: about?.capabilities.gpu ?? null,
      threads: about?.capabilities.threads ?? 0,
      ...(about && { capabilities: about.capabilities }),
      ...(this.#changes.length && { changes: this.#changes }),
      ...(this.analysis && { analysis: this.analysis }),
      clock: about?.clock ?? '',
      frames: this.#frames,
      dropped: this.#dropped,
    };
  }
}
