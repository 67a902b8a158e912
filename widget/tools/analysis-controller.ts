/**
 * Analyzes a whole recording: every frame if it can be decoded frame by frame, otherwise by playing it through. After a
 * cancel or an error, the results so far are kept, and can be exported like a recording.
 */
import { html, nothing } from 'lit';
import { FoveolaError, frames, type FrameTiming, asFoveolaError } from '../../src/index.ts';
import type { AnalysisResult, Outcome } from './analysis.ts';
import type { Feed } from '../base/feed.ts';
import type { ProgressDetail, AnyResult, Rendered, Settings } from '../base/kind.ts';
import type { Host } from '../base/host.ts';
import type { PictureController } from '../base/picture-controller.ts';
import { progressBar, afterInterruption } from '../base/engine.ts';
import type { SessionController } from '../base/session-controller.ts';
import type { SettingsController } from './settings-controller.ts';
import type { StateController } from '../base/state-controller.ts';
import { withTools } from './load.ts';

const tellEvery = 100;
const showEvery = 100;

/** A frame that was analyzed, and its image. */
interface Analysed<R> {
  result: R;
  timing: FrameTiming;
  picture: VideoFrame | null;
}

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
  #latest: Analysed<R> | null = null;
  /** Counts the frames of a recording that is played through. */
  #played: ((timing: FrameTiming) => void) | null = null;
  /** Ends a recording that is played through. */
  #broken: ((error: FoveolaError) => void) | null = null;
  #shownAt = -Infinity;
  #began = 0;
  #toldAt = 0;
  #found = 0;
  #doubtful = 0;
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
    if (this.#host.shown.analysing === 'decoding') return this.#latest?.timing.timestamp ?? 0;
    return this.#session.current?.now() ?? performance.now();
  }

  async start(): Promise<AnalysisResult> {
    const { element, shown, store, kind } = this.#host;
    const { feed } = shown;
    if (!feed || !this.possible || !this.#session.capabilities)
      throw new FoveolaError('source-not-ready', 'No recording is open. Open a video file first.');
    this.cancel();
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
    this.#began = performance.now();
    this.#found = this.#doubtful = 0;
    const { parameters } = this.#settings; // even if other parameters are set while the engine starts
    this.#measured = this.#measuredOf(parameters);
    this.#host.tell('analysis', 'begins');
    this.#state.setPhase('analysing');
    this.#tell({ frame: -1, mediaTime: 0 });
    let result: AnalysisResult;
    try {
      const engine = await this.#session.takeEngine();
      const tracker = await afterInterruption(async () => kind.createTracker(engine, parameters, true));
      try {
        const onFrame = (result: R, timing: FrameTiming, picture: VideoFrame | null) =>
          this.#onFrame(gone, { result, timing, picture });
        const asOurs = (error: unknown) => asFoveolaError(error, 'The analysis');
        result = await withTools(({ analyse }) => analyse(feed.file!, tracker, { frames, asOurs, onFrame }, signal));
        if (result.error?.code === 'source-unsupported' && !result.frames && !gone())
          result = await this.#playThrough(result.error, signal);
      } finally {
        tracker.dispose().catch(() => {});
      }
    } catch (error) {
      result = { ...nothingDone, error: asFoveolaError(error, 'The analysis') };
      result.reason = result.error!.message;
    }
    this.#host.tell('analysis', result);
    if (this.#running === running) this.#end(result);
    return result;
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
    this.#played?.(timing);
    if (!this.#running) return;
    const { kind } = this.#host;
    if (kind.meaningOf(result)?.tracking) this.#found++;
    if (kind.doubtful?.(result)) this.#doubtful++;
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
    this.#broken?.(error);
  }

  /** The outcome is not shown for the next source. */
  closing(): void {
    this.cancel();
    this.#running = this.#played = null;
    this.#due = false;
    this.#host.store.set({ analysing: null, progress: null, analysed: null, note: null, settingsWait: false });
  }

  forget(): void {
    this.#keepLatest(null);
    this.#shownAt = -Infinity;
  }

  left(): void {
    this.cancel();
  }

  #onFrame(gone: () => boolean, latest: Analysed<R>): boolean {
    const { result, timing, picture } = latest;
    if (gone()) {
      picture?.close();
      return false;
    }
    this.#keepLatest(latest);
    const now = performance.now();
    if (now - this.#shownAt >= showEvery) {
      this.#shownAt = now;
      this.#picture.showFrame(picture, result);
    }
    this.#session.take(result, timing);
    if (now - this.#toldAt >= tellEvery) this.#tell(timing);
    return true;
  }

  #keepLatest(latest: Analysed<R> | null): void {
    this.#latest?.picture?.close();
    this.#latest = latest;
  }

  #tell({ frame, mediaTime }: Pick<FrameTiming, 'frame' | 'mediaTime'>): void {
    const now = performance.now();
    this.#toldAt = now;
    const element = this.#host.shown.feed?.element;
    const duration = element instanceof HTMLVideoElement ? element.duration * 1000 : NaN;
    const done = duration > 0 && duration < Infinity ? Math.min(1, Math.max(0, mediaTime / duration)) : null;
    const frames = frame + 1;
    this.#host.store.set({ progress: { done, frames, mediaTime, elapsed: now - this.#began } });
    this.#host.emit<ProgressDetail>('progress', { done, frames, mediaTime });
  }

  /** Fallback if a browser cannot decode frame by frame. It runs at playback speed, and frames may be missing. */
  async #playThrough(cause: FoveolaError, signal: AbortSignal): Promise<AnalysisResult> {
    const session = this.#session.current;
    const video = this.#host.shown.feed?.element;
    if (!session || !(video instanceof HTMLVideoElement)) throw cause;
    const note = this.#host.strings.playedInstead(cause.message);
    this.#host.store.set({ note, analysing: 'playing' });
    this.#state.announce(note);
    const result: AnalysisResult = { ...nothingDone, jumps: [], reason: cause.message };
    const { loop } = video;
    video.loop = false;
    video.currentTime = 0;
    this.#played = ({ frame, mediaTime }) => {
      result.frames++;
      result.lastMediaTime = mediaTime;
      this.#tell({ frame, mediaTime });
    };
    await session.play();
    await new Promise<void>((resolve) => {
      const options = { once: true, signal };
      this.#broken = (error) => resolve(void (result.error = error));
      signal.addEventListener('abort', () => resolve(), { once: true });
      for (const type of ['ended', 'emptied']) video.addEventListener(type, () => resolve(), options);
      if (video.paused) resolve();
    });
    this.#broken = null;
    await new Promise((resolve) => setTimeout(resolve, 200)); // the results of the last frames
    this.#played = null;
    if (this.#host.shown.analysing) this.#host.store.set({ analysing: 'decoding' });
    session.pause();
    video.loop = loop;
    result.complete = video.ended;
    if (!video.ended) result.reason = signal.aborted ? 'cancelled' : (result.error ?? cause).message;
    return result;
  }

  #end(result: AnalysisResult): void {
    const { error, complete, frames, lastMediaTime, pages, reason } = result;
    const { store, strings } = this.#host;
    const done = complete ? 1 : (this.#host.shown.progress?.done ?? null);
    this.#running = null;
    const analysed = frames ? { ...result, found: this.#found, doubtful: this.#doubtful } : null;
    store.set({ analysing: null, progress: null, analysed });
    this.#host.emit<ProgressDetail>('progress', { done, frames, mediaTime: lastMediaTime ?? 0 });
    const latest = this.#latest;
    const session = this.#session.current;
    if (latest) {
      if (!this.#picture.showFrame(latest.picture, latest.result)) this.#host.tell('forgetFrame');
      session?.standAt(latest.timing);
      this.#keepLatest(null);
    } else if (lastMediaTime !== null) session?.seek(lastMediaTime);
    this.#host.tell('analysisEnded');
    this.#state.setPhase('paused');
    this.#session.onPlayback();
    const failed = error && !frames; // its strings may be missing as well
    if (!failed) this.#state.announce(complete ? strings.analysed(frames) : strings.analysedUntil(frames));
    const leftOut = pages && !error && reason !== 'cancelled' ? reason : null;
    if (!complete && !failed) store.set({ note: leftOut ?? strings.analysedUntil(frames) });
    if (error) this.#session.onFailure(error);
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
