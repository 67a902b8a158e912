/**
 * Analyzes a whole recording: every frame if it can be decoded frame by frame, otherwise by playing it through. After a
 * cancel or an error, the results so far are kept, and can be exported like a recording.
 */
import { html, nothing } from 'lit';
import { FoveolaError, frames, type FrameTiming, asFoveolaError } from '../../src/index.ts';
import type { AnalysisResult, Outcome } from './analysis.ts';
import type { AnalysisRun } from './analysis-run.ts';
import type { Feed } from '../base/feed.ts';
import type { AnyResult, Rendered, Settings } from '../base/kind.ts';
import type { Host } from '../base/host.ts';
import type { PictureController } from '../base/picture-controller.ts';
import { progressBar } from '../base/engine.ts';
import type { SessionController } from '../base/session-controller.ts';
import type { SettingsController } from './settings-controller.ts';
import type { StateController } from '../base/state-controller.ts';
import { withTools } from './load.ts';

const nothingDone: AnalysisResult = {
  everyFrame: false,
  complete: false,
  reason: null,
  lastMediaTime: null,
  jumps: [],
  repeated: 0,
  frames: 0,
  error: null,
};

export class AnalysisController<R extends AnyResult> {
  readonly #host: Host<R>;
  readonly #state: StateController<R>;
  readonly #picture: PictureController<R>;
  readonly #settings: SettingsController<R>;
  readonly #session: SessionController<R>;
  #running: AbortController | null = null;
  /** Null until the code for it has loaded. */
  #run: AnalysisRun<R> | null = null;
  /** The parameters of the last analysis that affect the measurement. */
  #measured = '';
  /** A file that the user has opened in the element. */
  chosen: File | null = null;
  /** The open recording is analyzed as soon as its first frame is on screen. */
  #due = false;

  constructor(
    host: Host<R>,
    state: StateController<R>,
    picture: PictureController<R>,
    settings: SettingsController<R>,
    session: SessionController<R>,
  ) {
    this.#host = host;
    this.#state = state;
    this.#picture = picture;
    this.#settings = settings;
    this.#session = session;
    host.add(this);
  }

  get running(): boolean {
    return this.#running !== null;
  }

  /** Whether the open recording can be analyzed: a file, or a URL with an end. */
  get possible(): boolean {
    const { feed } = this.#host.shown;
    return feed?.file !== undefined && !feed.live && !this.#host.kind.notAnalysable;
  }

  /** Time on the clock of the results. */
  now(): number {
    if (this.#host.shown.analysing === 'decoding') return this.#run?.now ?? 0;
    return this.#session.current?.now() ?? performance.now();
  }

  async start(): Promise<AnalysisResult> {
    const { element, shown, store } = this.#host;
    const { feed } = shown;
    if (!feed || !this.possible || !this.#session.capabilities)
      throw new FoveolaError('source-not-ready', 'No recording is open. Open a video file first.');
    this.cancel();
    this.#run = null;
    const running = (this.#running = new AbortController());
    store.set({ analysing: 'decoding' });
    const { signal } = running;
    const gone = () => signal.aborted || this.#running !== running;
    this.#state.clearFailure();
    this.#host.tell('endRecording');
    element.paused = true;
    this.#session.current?.pause();
    await element.updateComplete;
    if (this.#running !== running) return { ...nothingDone, reason: 'cancelled' };
    this.#host.tell('forgetFrame');
    this.#host.tell('forget');
    store.set({ note: null, analysed: null, settingsWait: false });
    const { parameters } = this.#settings; // even if other parameters are set while the engine starts
    this.#measured = this.#measuredOf(parameters);
    this.#host.tell('analysis', 'begins');
    this.#state.setPhase('analysing');
    let result: AnalysisResult;
    let run: AnalysisRun<R> | null = null;
    try {
      const asOurs = (error: unknown) => asFoveolaError(error, 'The analysis');
      const [host, state, picture, session] = [this.#host, this.#state, this.#picture, this.#session];
      result = await withTools((tools) => {
        run = new tools.AnalysisRun({ host, state, picture, session, frames, asOurs, gone }, signal);
        if (this.#running === running) this.#run = run;
        return run.run(feed.file!, parameters, nothingDone);
      });
    } catch (error) {
      result = { ...nothingDone, error: asFoveolaError(error, 'The analysis') };
      result.reason = result.error!.message;
    }
    this.#host.tell('analysis', result);
    if (this.#running === running) this.#end(run, result);
    return result;
  }

  #end(run: AnalysisRun<R> | null, result: AnalysisResult): void {
    this.#running = null;
    if (run) return run.end(result);
    // The tools could not be loaded.
    this.#host.store.set({ analysing: null, progress: null });
    this.#state.setPhase('paused');
    this.#session.onPlayback();
    this.#session.onFailure(result.error!);
  }

  /** Cancels the running analysis. Results so far are kept. */
  cancel(): void {
    this.#running?.abort();
  }

  begin({ file }: Feed): void {
    const { element, kind } = this.#host;
    const { analysisMode: mode } = element;
    const wanted = mode === 'auto' || (mode !== 'manual' && !kind.playsFirst && file === this.chosen);
    this.#due = this.possible && wanted;
    if (this.#due) element.paused = true;
  }

  published(): void {
    if (!this.#due) return;
    this.#due = false;
    const failed = (error: unknown) => this.#session.onFailure(asFoveolaError(error, 'The analysis'));
    if (this.#host.kind.ready?.() ?? true) this.#host.element.analyse().catch(failed);
  }

  present(result: R, timing: FrameTiming): void {
    if (this.#running) this.#run?.present(result, timing);
  }

  /** The summary is of the settings with which the recording was analyzed. */
  parametersChanged(parameters: Settings): void {
    if (!this.#running && this.#measuredOf(parameters) !== this.#measured) this.#host.store.set({ analysed: null });
  }

  #measuredOf(parameters: Settings): string {
    const { unmeasured } = this.#host.kind;
    const measured = Object.entries(parameters).filter(([name]) => !unmeasured?.includes(name));
    return JSON.stringify(measured, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value));
  }

  unsupplied(error: FoveolaError): void {
    this.#run?.unsupplied(error);
  }

  /** The outcome is not shown for the next source. */
  closing(): void {
    this.cancel();
    this.#running = null;
    this.#due = false;
    this.#host.store.set({ analysing: null, progress: null, analysed: null, note: null, settingsWait: false });
  }

  forget(): void {
    this.#run?.forget();
  }

  left(): void {
    this.cancel();
  }

  /** `summary` shows the outcome. The row has the same height before, during and after an analysis. */
  render(summary: (analysed: Outcome) => Rendered): Rendered {
    const { strings: s, shown, element, kind } = this.#host;
    const { progress, note, analysed, settingsWait } = shown;
    const { controls } = element;
    const bar =
      progress && this.#running && progressBar(s, s.analysis, progress, controls ? null : () => this.cancel());
    const reserved = controls && (this.possible || (shown.awaited && !kind.notAnalysable)) && !kind.playsFirst;
    const text = (words: string) => html`<p class="note" part="note">${words}</p>`;
    return html`${
      reserved
        ? html`<div class="status">${bar || (analysed ? summary(analysed) : html`<p>${s.notAnalysed}</p>`)}</div>`
        : bar || nothing
    }${note ? text(note) : nothing}${settingsWait ? text(s.settingsLater) : nothing}`;
  }
}
