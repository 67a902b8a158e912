/** Recording what an element measures: rows while it is on, markers by hand and by the page, an analysis like a recording. */
import { FoveolaError, type FrameTiming, type Marker, type Recording } from '../../src/index.ts';
import type { AnalysisController } from './analysis-controller.ts';
import type { AnalysisResult } from './analysis.ts';
import type { Host } from './host.ts';
import type { AnyResult, Settings } from './kind.ts';
import type { Circumstances, Recorder, Writer } from './recorder.ts';
import type { SessionController } from './session-controller.ts';
import type { SettingsController } from './settings-controller.ts';
import type { StateController } from './state-controller.ts';

export class RecorderController<R extends AnyResult> {
  readonly #host: Host<R>;
  readonly #state: StateController<R>;
  readonly #settings: SettingsController<R>;
  readonly #session: SessionController<R>;
  readonly #analysis: AnalysisController<R>;
  readonly #recorder: Recorder;
  #analysed: Recording | null = null;
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

  /** What was recorded last; null before the first time. */
  get recording(): Recording | null {
    return this.#recorder.recording;
  }

  get active(): boolean {
    return this.#recorder.active;
  }

  get rows(): number {
    return this.#recorder.rows;
  }

  /** `options`: what the writer knows already, for a recording that is too long for it. */
  csv(write?: Writer, options?: object): Promise<string> {
    return this.#recorder.csv(write, options);
  }

  json(write?: Writer, options?: object): Promise<string> {
    return this.#recorder.json(write, options);
  }

  /** Starts a recording, or ends the one that runs. Returns whether one runs now. */
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
      throw new FoveolaError('invalid-argument', `mark: timestamp must be milliseconds, not ${String(timestamp)}.`);
    this.#host.tell('marked', String(label), at);
    return this.#recorder.mark(String(label), at);
  }

  /** By a key or a button: it has a number, and can be taken back. */
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
    if (!this.#recorder.active) return;
    const clock = this.#session.current?.clock.describe() ?? '';
    this.#recorder.add(this.#host.kind.rowsOf(result, timing), timing, clock, result.side);
  }

  parametersChanged(parameters: Settings): void {
    const all = { ...this.#settings.all, ...parameters };
    this.#recorder.changed(all, this.#analysis.now());
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
    const circumstances: Circumstances = {
      feed: this.#host.shown.feed!,
      capabilities: this.#session.capabilities!,
      parameters: this.#settings.all,
      clock: this.#session.current!.clock.describe(),
    };
    this.#recorder.start(this.#host.kind.columns(), circumstances);
    this.#host.store.set({ recordedName: circumstances.feed.name });
  }
}
