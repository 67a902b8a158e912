/**
 * One analysis of a recording in an element: every frame, or played through if the browser cannot decode frame by frame.
 * It shows its progress and its end. This file is part of tools.js.
 */
import type { FoveolaError, frames, FrameTiming } from '../../src/index.ts';
import { afterInterruption } from '../base/engine.ts';
import type { Host } from '../base/host.ts';
import type { AnyResult, ProgressDetail, Settings } from '../base/kind.ts';
import type { PictureController } from '../base/picture-controller.ts';
import type { SessionController } from '../base/session-controller.ts';
import type { StateController } from '../base/state-controller.ts';
import { analyse, type AnalysisResult } from './analysis.ts';

const tellEvery = 100;
const showEvery = 100;

/** A frame that was analyzed, and its image. */
interface Analysed<R> {
  result: R;
  timing: FrameTiming;
  picture: VideoFrame | null;
}

/** Parts of the element, and functions of the page. */
export interface AnalysisGiven<R extends AnyResult> {
  readonly host: Host<R>;
  readonly state: StateController<R>;
  readonly picture: PictureController<R>;
  readonly session: SessionController<R>;
  readonly frames: typeof frames;
  /** Converts an error to the page's error class. */
  asOurs(error: unknown): FoveolaError;
  /** Whether another analysis or source has taken its place. */
  gone(): boolean;
}

export class AnalysisRun<R extends AnyResult> {
  readonly #given: AnalysisGiven<R>;
  readonly #signal: AbortSignal;
  #latest: Analysed<R> | null = null;
  /** Counts the frames of a recording that is played through. */
  #played: ((timing: FrameTiming) => void) | null = null;
  /** Ends a recording that is played through. */
  #broken: ((error: FoveolaError) => void) | null = null;
  readonly #began = performance.now();
  #shownAt = -Infinity;
  #toldAt = 0;
  #found = 0;
  #doubtful = 0;

  constructor(given: AnalysisGiven<R>, signal: AbortSignal) {
    this.#given = given;
    this.#signal = signal;
  }

  /** Time of the last frame that was decoded. */
  get now(): number {
    return this.#latest?.timing.timestamp ?? 0;
  }

  async run(file: Blob | string, parameters: Settings, nothingDone: AnalysisResult): Promise<AnalysisResult> {
    const { host, session, frames, asOurs, gone } = this.#given;
    if (!gone()) this.#tell({ frame: -1, mediaTime: 0 });
    const engine = await session.takeEngine();
    const tracker = await afterInterruption(async () => host.kind.createTracker(engine, parameters, true));
    try {
      const onFrame = (result: R, timing: FrameTiming, picture: VideoFrame | null) =>
        this.#onFrame({ result, timing, picture });
      const result = await analyse(file, tracker, { frames, asOurs, onFrame }, this.#signal);
      return result.error?.code === 'source-unsupported' && !result.frames && !gone()
        ? await this.#playThrough(result.error, nothingDone)
        : result;
    } finally {
      tracker.dispose().catch(() => {});
    }
  }

  present(result: R, timing: FrameTiming): void {
    this.#played?.(timing);
    const { kind } = this.#given.host;
    if (kind.meaningOf(result)?.tracking) this.#found++;
    if (kind.doubtful?.(result)) this.#doubtful++;
  }

  unsupplied(error: FoveolaError): void {
    this.#broken?.(error);
  }

  forget(): void {
    this.#keepLatest(null);
    this.#shownAt = -Infinity;
  }

  #onFrame(latest: Analysed<R>): boolean {
    const { result, timing, picture } = latest;
    if (this.#given.gone()) {
      picture?.close();
      return false;
    }
    this.#keepLatest(latest);
    const now = performance.now();
    if (now - this.#shownAt >= showEvery) {
      this.#shownAt = now;
      this.#given.picture.showFrame(picture, result);
    }
    this.#given.session.take(result, timing);
    if (now - this.#toldAt >= tellEvery) this.#tell(timing);
    return true;
  }

  #keepLatest(latest: Analysed<R> | null): void {
    this.#latest?.picture?.close();
    this.#latest = latest;
  }

  #tell({ frame, mediaTime }: Pick<FrameTiming, 'frame' | 'mediaTime'>): void {
    const { host } = this.#given;
    const now = performance.now();
    this.#toldAt = now;
    const element = host.shown.feed?.element;
    const duration = element instanceof HTMLVideoElement ? element.duration * 1000 : NaN;
    const done = duration > 0 && duration < Infinity ? Math.min(1, Math.max(0, mediaTime / duration)) : null;
    const frames = frame + 1;
    host.store.set({ progress: { done, frames, mediaTime, elapsed: now - this.#began } });
    host.emit<ProgressDetail>('progress', { done, frames, mediaTime });
  }

  /** Fallback if a browser cannot decode frame by frame. It runs at playback speed, and frames may be missing. */
  async #playThrough(cause: FoveolaError, nothingDone: AnalysisResult): Promise<AnalysisResult> {
    const { host, state } = this.#given;
    const signal = this.#signal;
    const session = this.#given.session.current;
    const video = host.shown.feed?.element;
    if (!session || !(video instanceof HTMLVideoElement)) throw cause;
    const note = host.strings.playedInstead(cause.message);
    host.store.set({ note, analysing: 'playing' });
    state.announce(note);
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
    if (host.shown.analysing) host.store.set({ analysing: 'decoding' });
    session.pause();
    video.loop = loop;
    result.complete = video.ended;
    if (!video.ended) result.reason = signal.aborted ? 'cancelled' : (result.error ?? cause).message;
    return result;
  }

  /** Shows the outcome. */
  end(result: AnalysisResult): void {
    const { host, picture, session: sessions, state } = this.#given;
    const { error, complete, frames, lastMediaTime, pages, reason } = result;
    const { store, strings } = host;
    const done = complete ? 1 : (host.shown.progress?.done ?? null);
    const analysed = frames ? { ...result, found: this.#found, doubtful: this.#doubtful } : null;
    store.set({ analysing: null, progress: null, analysed });
    host.emit<ProgressDetail>('progress', { done, frames, mediaTime: lastMediaTime ?? 0 });
    const latest = this.#latest;
    const session = sessions.current;
    if (latest) {
      if (!picture.showFrame(latest.picture, latest.result)) host.tell('forgetFrame');
      session?.standAt(latest.timing);
      this.#keepLatest(null);
    } else if (lastMediaTime !== null) session?.seek(lastMediaTime);
    host.tell('analysisEnded');
    state.setPhase('paused');
    sessions.onPlayback();
    const failed = error && !frames; // its strings may be missing as well
    if (!failed) state.announce(complete ? strings.analysed(frames) : strings.analysedUntil(frames));
    const leftOut = pages && !error && reason !== 'cancelled' ? reason : null;
    if (!complete && !failed) store.set({ note: leftOut ?? strings.analysedUntil(frames) });
    if (error) sessions.onFailure(error);
  }
}
