/**
 * Analysing a whole recording instead of watching it: every frame where it can be decoded frame by frame, else by playing
 * it through. What was done is kept when it is cancelled or breaks off, and exported like a recording.
 */
import { html, nothing, type TemplateResult } from 'lit';
import { state } from 'lit/decorators.js';
import { asFoveolaError, FoveolaError, type FrameTiming } from '../../src/index.ts';
import { analyse, type AnalysisResult } from './analysis.ts';
import { type Progress, progressBar } from './progress.ts';
import { SettingsElement } from './settings-element.ts';

export interface ProgressDetail {
  /** 0 to 1; null where the recording does not say how long it is. */
  done: number | null;
  frames: number;
  /** Milliseconds into the recording. */
  mediaTime: number;
}

const tellEvery = 100;
const showEvery = 100;

/** A frame that was analysed, and its picture. */
interface Analysed<R> {
  result: R;
  timing: FrameTiming;
  picture: VideoFrame | null;
}

export abstract class AnalysisElement<R extends { timestamp: number; dropped: number }> extends SettingsElement<R> {
  @state() protected analysing: AbortController | null = null;
  @state() private progress: Progress | null = null;
  /** What came of the last analysis that did not run to its end, in words. */
  @state() private note: string | null = null;
  readonly #picture = document.createElement('canvas');
  /** The picture of an analysed frame stands over the video, until the video shows a frame of its own again. */
  @state() private pictureStands = false;
  #latest: Analysed<R> | null = null;
  #shownAt = -Infinity;
  #began = 0;
  #toldAt = 0;

  /** Keeps the rows of an analysis: begins with true, ends with what came of it. */
  protected abstract keepAnalysis(step: true | AnalysisResult): void;
  /** Draws what is known of the picture that is shown: `pictured`. */
  protected abstract drawPictured(): void;
  /** The analysis of the source that is open has ended. */
  protected analysisEnded(): void {}

  /** What is shown of the source: its own element, or the picture of an analysed frame over it. */
  protected get shownPicture(): HTMLVideoElement | HTMLImageElement | HTMLCanvasElement | null {
    return this.pictureStands ? this.#picture : (this.feed?.element ?? null);
  }

  /** The recording that is open can be analysed: a file or an address that ends. */
  protected get analysable(): boolean {
    return this.feed?.file !== undefined && !this.feed.live;
  }

  /**
   * Analyses every frame of the recording that is open, from its beginning, as fast as it goes. Resolves at its end, after
   * `cancelAnalysis()`, and also where it breaks off: `error` then says where, and the rows before are kept.
   * Rejects with 'source-not-ready' where no recording is open.
   */
  async analyse(): Promise<AnalysisResult> {
    const { feed } = this;
    if (!feed || !this.analysable || !this.capabilities)
      throw new FoveolaError('source-not-ready', 'There is no recording to analyse. Open a video file first.');
    this.cancelAnalysis();
    const analysing = (this.analysing = new AbortController());
    const { signal } = analysing;
    const gone = () => signal.aborted || this.analysing !== analysing;
    this.clearFailure();
    this.endRecording();
    this.paused = true;
    this.session?.pause();
    await this.updateComplete;
    if (this.analysing !== analysing) return { ...nothingDone, reason: 'cancelled' };
    this.forget();
    this.note = null;
    this.#began = performance.now();
    this.keepAnalysis(true);
    this.setPhase('analysing');
    this.#tell({ frame: -1, mediaTime: 0 });
    let result: AnalysisResult;
    try {
      const tracker = await this.createTracker(await this.takeEngine(), this.parameters());
      try {
        const onFrame = (result: R, timing: FrameTiming, picture: VideoFrame | null) =>
          this.#onFrame(gone, { result, timing, picture });
        result = await analyse(feed.file!, tracker, { onFrame }, signal);
        if (result.error?.code === 'source-unsupported' && !result.frames && !gone())
          result = await this.#playThrough(result.error, signal);
      } finally {
        tracker.dispose().catch(() => {});
      }
    } catch (error) {
      result = { ...nothingDone, error: asFoveolaError(error, 'The analysis') };
      result.reason = result.error!.message;
    }
    this.keepAnalysis(result);
    if (this.analysing === analysing) this.#end(result);
    return result;
  }

  /** Time on the clock of the results. */
  protected now(): number {
    if (this.analysing && !this.playingThrough) return this.#latest?.timing.timestamp ?? 0;
    return this.session?.now() ?? performance.now();
  }

  /** Ends the analysis that runs; what was done is kept. */
  cancelAnalysis(): void {
    this.analysing?.abort();
  }

  /** @internal */
  override onPlayback(): void {
    if (this.analysing) return;
    if (this.session?.running) this.pictureStands = false;
    super.onPlayback();
  }

  /** @internal */
  override onResult(result: R, timing: FrameTiming): void {
    if (this.analysing && !this.playingThrough) return; // was still under way when the analysis began
    this.pictureStands = false;
    super.onResult(result, timing);
    this.playingThrough?.(timing);
  }

  protected override closing(): void {
    super.closing();
    this.cancelAnalysis();
    this.analysing = this.playingThrough = null; // what comes of it is not said of the next source
    this.progress = this.note = null;
  }

  protected override forget(): void {
    super.forget();
    this.#keepLatest(null);
    this.pictureStands = false;
    this.#shownAt = -Infinity;
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
      this.#show(latest);
    }
    this.setMeaning(this.meaningOf(result));
    this.present(result, timing);
    this.emit('result', result, false);
    if (now - this.#toldAt >= tellEvery) this.#tell(timing);
    return true;
  }

  #keepLatest(latest: Analysed<R> | null): void {
    this.#latest?.picture?.close();
    this.#latest = latest;
  }

  /** Picture and overlay of the same frame. Over a video of the page's own neither is shown: it stands elsewhere. */
  #show({ result, picture }: Analysed<R>): boolean {
    const { width, height, external } = this.feed!;
    if (!picture || external) return false;
    const canvas = this.#picture;
    if (canvas.width !== width || canvas.height !== height) {
      canvas.width = width;
      canvas.height = height;
    }
    canvas.getContext('2d')!.drawImage(picture, 0, 0, width, height);
    this.pictureStands = true;
    this.pictured = result;
    this.drawPictured();
    return true;
  }

  #tell({ frame, mediaTime }: Pick<FrameTiming, 'frame' | 'mediaTime'>): void {
    const now = performance.now();
    this.#toldAt = now;
    const element = this.feed?.element;
    const duration = element instanceof HTMLVideoElement ? element.duration * 1000 : NaN;
    const done = duration > 0 && duration < Infinity ? Math.min(1, Math.max(0, mediaTime / duration)) : null;
    const frames = frame + 1;
    this.progress = { done, frames, mediaTime, elapsed: now - this.#began };
    this.emit<ProgressDetail>('progress', { done, frames, mediaTime });
  }

  /** Where a browser cannot decode frame by frame: at the speed of the recording, and frames may be missing. */
  async #playThrough(cause: FoveolaError, signal: AbortSignal): Promise<AnalysisResult> {
    const { session } = this;
    const video = this.feed?.element;
    if (!session || !(video instanceof HTMLVideoElement)) throw cause;
    this.note = this.strings.playedInstead(cause.message);
    this.announce(this.note);
    const result: AnalysisResult = { ...nothingDone, jumps: [], reason: cause.message };
    const { loop } = video;
    video.loop = false;
    video.currentTime = 0;
    this.playingThrough = ({ frame, mediaTime }) => {
      result.frames++;
      result.lastMediaTime = mediaTime;
      this.#tell({ frame, mediaTime });
    };
    await session.play();
    await new Promise<void>((resolve) => {
      const options = { once: true, signal };
      signal.addEventListener('abort', () => resolve(), { once: true });
      for (const type of ['ended', 'error', 'emptied']) video.addEventListener(type, () => resolve(), options);
      if (video.paused) resolve();
    });
    await new Promise((resolve) => setTimeout(resolve, 200)); // the results of the last frames
    this.playingThrough = null;
    session.pause();
    video.loop = loop;
    result.complete = video.ended;
    if (!video.ended) result.reason = signal.aborted ? 'cancelled' : cause.message;
    return result;
  }

  /** Set while a recording is played through. */
  protected playingThrough: ((timing: FrameTiming) => void) | null = null;

  #end({ error, complete, frames, lastMediaTime }: AnalysisResult): void {
    const done = complete ? 1 : (this.progress?.done ?? null);
    this.analysing = null;
    this.progress = null;
    this.emit<ProgressDetail>('progress', { done, frames, mediaTime: lastMediaTime ?? 0 });
    const latest = this.#latest;
    if (latest) {
      if (!this.#show(latest)) this.forgetFrame();
      this.session?.standAt(latest.timing);
      this.#keepLatest(null);
    } else if (lastMediaTime !== null) this.session?.seek(lastMediaTime);
    this.analysisEnded();
    this.setPhase('paused');
    this.onPlayback();
    this.announce(complete ? this.strings.analysed(frames) : this.strings.analysedUntil(frames));
    if (!complete) this.note = this.strings.analysedUntil(frames);
    if (error) this.onFailure(error);
  }

  protected renderAnalysisPicture(): unknown {
    if (!this.pictureStands) return nothing;
    this.#picture.className = 'media picture';
    return this.#picture;
  }

  protected renderProgress(): TemplateResult | typeof nothing {
    const { strings: s, progress, note } = this;
    return html`${
      progress && this.analysing ? progressBar(s, s.analysis, progress, () => this.cancelAnalysis()) : nothing
    }${note ? html`<p class="note" part="note">${note}</p>` : nothing}`;
  }
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
