/** Data recorded by an element: rows while it is on, markers, and the header of the exports. */
import {
  addEvents,
  type AnalysisNote,
  type Capabilities,
  type Column,
  type ExportFormat,
  type EyeEvent,
  type FrameTiming,
  type Marker,
  notice,
  Recording,
  type RecordingHeader,
  type ResultBackend,
  version,
} from '../../src/index.ts';
import type { Feed } from '../base/feed.ts';
import { aboutOf, type AboutProperties } from '../base/page.ts';
import type { Settings } from '../base/kind.ts';
import { withTools } from './load.ts';
import { sameSetting } from '../base/requested-source.ts';

/** Configuration in use while the rows were written. */
export interface Circumstances {
  feed: Feed;
  capabilities: Capabilities;
  /** All parameters, including defaults. */
  parameters: Settings;
  clock: string;
}

/** Note for a stack shown as an image: only one of its pages was read. */
const firstPage = (feed?: Feed): AnalysisNote | null =>
  feed?.still && feed.about && feed.about.pages > 1
    ? {
        ...{ everyFrame: false, complete: false, lastMediaTime: null, jumps: [], repeated: 0 },
        reason: `${feed.about.pages - 1} of ${feed.about.pages} pages were skipped.`,
        pages: `1 of ${feed.about.pages}`,
      }
    : null;

/** The recording after corrections by hand. */
export interface Corrected {
  readonly recording: Recording;
  readonly corrections: NonNullable<RecordingHeader['corrections']>;
}

export class Recorder {
  readonly #of: AboutProperties;
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
  #side: ResultBackend | null = null;
  #active = false;
  corrected: Corrected | null = null;
  #changes: NonNullable<RecordingHeader['changes']> = [];
  /** Parameters of the rows after this frame. */
  #next: { parameters: Settings; after: number } | null = null;
  /** Set during and after the frame-by-frame analysis of a recording. */
  analysis: AnalysisNote | null = null;
  /** Exports a recording whose first rows are no longer in memory. Set if recordings are saved on the device. */
  long: ((format: ExportFormat, options: object) => AsyncIterable<string>) | null = null;

  /** `of`: has the subject and session, read at the time of an export. */
  constructor(of: AboutProperties = {}) {
    this.#of = of;
  }

  get active(): boolean {
    return this.#active;
  }

  /** Feed of the last recording. Null before the first one. */
  get feed(): Feed | null {
    return this.#about?.feed ?? null;
  }

  /** Name of the recorded source. */
  get sourceName(): string {
    return this.#about?.feed.name ?? '';
  }

  get rows(): number {
    return this.#recording?.length ?? 0;
  }

  start(columns: readonly Column[], about: Circumstances): void {
    this.#recording = new Recording(columns);
    this.#about = about;
    // The feed may be closed by the time of the export.
    this.#sha256 = null;
    // This also loads the writer, so that the export does not need the network later.
    this.#hash = withTools(({ sha256 }) => sha256(about.feed.bytes)).then(
      (hash) => this.#about === about && (this.#sha256 = hash),
      () => {}, // the export reports the missing file
    );
    this.#started = null;
    this.#frames = this.#dropped = 0;
    this.#lastFrame = -1;
    this.#changes = [];
    this.#next = null;
    this.analysis = null;
    this.#side = this.corrected = null;
    this.#active = true;
  }

  stop(): void {
    this.#active = false;
  }

  /**
   * `events`: events of the result, such as blinks. Returns whether its rows are the first ones with new parameters.
   */
  add(
    rows: number[][],
    timing: FrameTiming,
    clock: string,
    backend?: ResultBackend,
    events: readonly EyeEvent[] = [],
  ): boolean {
    if (!this.#active || !this.#recording || !this.#about) return false;
    if (timing.frame <= this.#lastFrame) return false; // the same frame with other settings, while nothing plays
    const changed = this.#change(timing);
    this.#lastFrame = timing.frame;
    this.#started ??= new Date().toISOString();
    this.#about.clock = clock;
    if (!this.#frames++) this.#from = timing.timestamp;
    if (backend) this.#side = this.#side && this.#side !== backend ? 'both' : backend;
    // Frames dropped before the first row are not missing in the recording.
    if (this.#frames > 1) this.#dropped += timing.dropped;
    for (const row of rows) this.#recording.push(row);
    addEvents(
      this.#recording,
      events.filter(({ offset }) => offset >= this.#from),
    );
    return changed;
  }

  #change({ frame, timestamp }: FrameTiming): boolean {
    if (!this.#next || frame <= this.#next.after) return false;
    const { parameters } = this.#next;
    this.#next = null;
    if (this.#frames) this.#changes.push({ timestamp, parameters });
    else this.#about!.parameters = parameters;
    return this.#frames > 0;
  }

  mark(label: string, timestamp: number): Marker | null {
    return this.#active && this.#recording ? this.#recording.mark(label, timestamp) : null;
  }

  /** The parameters have changed during the recording. `sent`: the last frame measured with the previous ones. */
  changed(parameters: Settings, sent: number): void {
    const before = this.#changes.at(-1)?.parameters ?? this.#about?.parameters ?? {};
    const names = [...new Set([...Object.keys(before), ...Object.keys(parameters)])];
    const same = names.every((name) => sameSetting(before[name], parameters[name]));
    if (this.#active) this.#next = same ? null : { parameters, after: sent };
  }

  /** Removes a marker, or adds it again. */
  unmark(marker: Marker): void {
    const markers = this.#recording?.markers;
    const index = markers?.indexOf(marker) ?? -1;
    if (index >= 0) markers!.splice(index, 1);
  }

  remark(marker: Marker): void {
    this.#recording?.markers.push(marker);
  }

  /** The last recording. Null before the first one. */
  get recording(): Recording | null {
    return this.corrected?.recording ?? this.#recording;
  }

  /** The last recording without corrections. */
  get measured(): Recording | null {
    return this.#recording;
  }

  /** The text of an export. */
  async text(format: ExportFormat, options: object): Promise<string> {
    const recording = this.recording ?? new Recording([]);
    const header = await this.wholeHeader();
    if (!this.long || !recording.first)
      return withTools(({ exportText }) => exportText(recording, header, format, options));
    let text = '';
    for await (const part of this.long(format, options)) text += part;
    return text;
  }

  /** Includes the hash of the source, which may take a while, and the subject, which is never stored. */
  async wholeHeader(): Promise<RecordingHeader> {
    await this.#hash;
    return { ...this.header, ...aboutOf(this.#of) };
  }

  /** The current header. */
  get header(): RecordingHeader {
    const about = this.#about;
    const analysis = this.analysis ?? firstPage(about?.feed);
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
        ...(about?.feed.about?.notes.length && { notes: about.feed.about.notes }),
      },
      parameters: about?.parameters ?? {},
      backend: this.#side ?? about?.capabilities.backend ?? '',
      renderer: about?.capabilities.gpu ?? null,
      threads: about?.capabilities.threads ?? 0,
      ...(about && { capabilities: about.capabilities }),
      ...(this.#changes.length && { changes: this.#changes }),
      ...(analysis && { analysis }),
      clock: about?.clock ?? '',
      frames: this.#frames,
      dropped: this.#dropped,
      ...(this.corrected && { corrections: this.corrected.corrections }),
    };
  }
}
