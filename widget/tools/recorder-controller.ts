/** Records the measurements of an element: rows while it is on, markers by hand and by the page, and analyses. */
import {
  type Column,
  type ExportFormat,
  FoveolaError,
  type FrameTiming,
  type Marker,
  type Recording,
  type RecordingHeader,
} from '../../src/index.ts';
import { shown } from '../../src/internal.ts';
import type { AnalysisController } from './analysis-controller.ts';
import type { AnalysisResult } from './analysis.ts';
import { isSameSource } from '../base/feed.ts';
import type { Host } from '../base/host.ts';
import type { AnyResult, Settings } from '../base/kind.ts';
import { type Circumstances, type Corrected, Recorder } from './recorder.ts';
import type { SessionController } from '../base/session-controller.ts';
import type { SettingsController } from './settings-controller.ts';
import type { StateController } from '../base/state-controller.ts';

export class RecorderController<R extends AnyResult> {
  readonly #host: Host<R>;
  readonly #state: StateController<R>;
  readonly #settings: SettingsController<R>;
  readonly #session: SessionController<R>;
  readonly #analysis: AnalysisController<R>;
  readonly #recorder: Recorder;
  #analysed: Recording | null = null;
  /** Creates the row that would be recorded for the open image. */
  #still: (() => Parameters<Recorder['add']>) | null = null;
  /** The open image is exported even though a recording exists. */
  #chosen = false;
  #markers = 0;

  constructor(
    host: Host<R>,
    state: StateController<R>,
    settings: SettingsController<R>,
    session: SessionController<R>,
    analysis: AnalysisController<R>,
    recorder: Recorder,
  ) {
    this.#recorder = recorder;
    this.#host = host;
    this.#state = state;
    this.#settings = settings;
    this.#session = session;
    this.#analysis = analysis;
    host.add(this);
  }

  /** The last recording. Null before the first one. */
  get recording(): Recording | null {
    return this.#recorder.recording;
  }

  /** The last recording without corrections. */
  get measured(): Recording | null {
    return this.#recorder.measured;
  }

  get header(): RecordingHeader {
    return this.#recorder.header;
  }

  wholeHeader(): Promise<RecordingHeader> {
    return this.#recorder.wholeHeader();
  }

  /** Sets the recording after corrections by hand. Null: without corrections. */
  correct(corrected: Corrected | null): void {
    this.#recorder.corrected = corrected;
  }

  get active(): boolean {
    return this.#recorder.active;
  }

  /** Number of rows of the export. */
  get rows(): number {
    return this.#recorder.rows || (this.#still?.()[0].length ?? 0);
  }

  /** The exported data is from another source than the displayed one. */
  get isOfAnother(): boolean {
    const { feed } = this.#host.shown;
    const { feed: recorded, rows } = this.#recorder;
    return feed !== null && recorded !== null && rows > 0 && !isSameSource(recorded, feed);
  }

  /** Name of the exported source. Empty if there is nothing to export. */
  get exportedName(): string {
    if (this.#recorder.rows) return this.#recorder.sourceName;
    return this.#still ? (this.#host.shown.feed?.name ?? '') : '';
  }

  /** The open image can be exported without a recording. */
  get picture(): boolean {
    return this.#still !== null;
  }

  /** Runs `make` so that it exports the open image, even if a recording exists. */
  ofPicture<T>(make: () => T): T {
    this.#chosen = true;
    try {
      return make();
    } finally {
      this.#chosen = false;
    }
  }

  /** The last recording. If none exists, the open image as a recording of one frame. */
  get #exported(): Recorder {
    if (!this.#still || (this.#recorder.rows && !this.#chosen)) return this.#recorder;
    const one = new Recorder(this.#host.element);
    one.start(this.#host.kind.columns(), this.#circumstances());
    one.add(...this.#still());
    one.stop();
    return one;
  }

  /** The text of an export. `options` override the options of the element. */
  text(format: ExportFormat, options?: object): Promise<string> {
    return this.#exported.text(format, { ...this.#host.exportOptions, ...options });
  }

  /** Starts a recording, or ends the current one. Returns whether a recording is running. */
  toggle(): boolean {
    if (this.#host.shown.recording) {
      this.endRecording();
      return false;
    }
    if (!this.#session.current || !this.#session.capabilities)
      throw new FoveolaError('source-not-ready', 'There is nothing to record yet. Open a source first.');
    this.#analysis.cancel();
    this.#start();
    this.#state.setRecording(true);
    this.#state.announce(this.#host.strings.recordingStarted);
    return true;
  }

  mark(label: string, timestamp?: number): Marker | null {
    const at = timestamp ?? this.#analysis.now();
    if (!Number.isFinite(at))
      throw new FoveolaError('invalid-argument', `mark: timestamp must be milliseconds, not ${shown(timestamp)}.`);
    this.#host.tell('marked', String(label), at);
    return this.#recorder.mark(String(label), at);
  }

  /** Sets a marker with a key or a button. It has a number and can be undone. */
  markByHand(): void {
    const marker = this.mark(`M${++this.#markers}`)!;
    const { label, timestamp } = marker;
    this.#state.announce(this.#host.strings.marked(label));
    this.#settings.remember({
      undo: () => {
        this.#markers--;
        this.#recorder.unmark(marker);
        this.#host.tell('unmarked', label, timestamp);
      },
      redo: () => {
        this.#markers++;
        this.#recorder.remark(marker);
        this.#host.tell('marked', label, timestamp);
      },
    });
  }

  present(result: R, timing: FrameTiming): void {
    const { current } = this.#session;
    const { kind, element } = this.#host;
    const added = (): Parameters<Recorder['add']> => [
      kind.rowsOf(result, timing),
      timing,
      current?.clock.describe() ?? '',
      result.backend,
      kind.eventsOf?.(result),
    ];
    if (this.#recorder.active) {
      if (this.#recorder.add(...added())) this.mark('[settings changed]', timing.timestamp);
    } else if (current?.moving === false) {
      this.#still = added;
      element.requestUpdate();
    }
  }

  closing(): void {
    this.#still = null;
  }

  /** Other columns require a new recording. */
  parametersChanged(parameters: Settings): void {
    const { kind } = this.#host;
    const { recording } = this.#recorder;
    const names = (columns: readonly Column[] = []) => columns.map(({ name }) => name).join();
    if (names(recording?.columns) !== names(kind.columns())) this.endRecording();
    const all = { ...this.#settings.all, ...parameters };
    for (const name of kind.unmeasured ?? []) all[name] = this.#recorder.header.parameters[name];
    this.#recorder.changed(all, this.#session.current?.settled ?? -1);
  }

  endRecording(): void {
    if (!this.#host.shown.recording) return;
    this.#recorder.stop();
    this.#state.setRecording(false);
    this.#state.announce(this.#host.strings.recordingStopped(this.#recorder.rows));
  }

  analysis(step: 'begins' | AnalysisResult): void {
    if (step === 'begins') {
      this.#start();
      this.#analysed = this.#recorder.recording;
    } else if (this.#recorder.recording === this.#analysed) {
      const { error: _, frames: __, ...note } = step;
      this.#recorder.analysis = note;
      this.#recorder.stop();
      this.#host.element.requestUpdate();
    }
  }

  left(): void {
    this.#recorder.stop();
  }

  #start(): void {
    const circumstances = this.#circumstances();
    this.#recorder.start(this.#host.kind.columns(), circumstances);
  }

  #circumstances(): Circumstances {
    return {
      feed: this.#host.shown.feed!,
      capabilities: this.#session.capabilities!,
      parameters: this.#settings.all,
      clock: this.#session.current!.clock.describe(),
    };
  }
}
