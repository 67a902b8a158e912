/**
 * A recording as a video with what is drawn over it: every frame with its own time, the result that is known of it or a
 * new one. What the element hides (faces) is hidden in it.
 */
import type { AnyResult } from '../parts/kind.ts';
import type { ElementTracker } from '../parts/engine.ts';
import type { ProgressDetail } from '../parts/events.ts';
import type { Progress } from '../parts/progress.ts';
import type { PlayerGiven } from './given.ts';
import type { KnownResults } from './known-results.ts';
import type { VideoWriter } from './video-writer.ts';

const tellEvery = 100;

export class Exporting<R extends AnyResult> {
  readonly #parts: PlayerGiven<R>;
  readonly #known: KnownResults<R>;
  #running: AbortController | null = null;
  #progress: Progress | null = null;
  #began = 0;
  #toldAt = 0;

  constructor(parts: PlayerGiven<R>, known: KnownResults<R>) {
    this.#parts = parts;
    this.#known = known;
  }

  /** Null while nothing is exported. */
  get progress(): Progress | null {
    return this.#progress;
  }

  cancel(): void {
    this.#running?.abort();
  }

  async start(signal?: AbortSignal): Promise<Blob> {
    const { host, analysis, control, error } = this.#parts;
    const { feed, failure } = host.shown;
    if (!feed || feed.external || !analysis.possible || failure)
      throw error('source-not-ready', 'There is no recording to export. Open a video file in the element first.');
    if (analysis.running || this.#running)
      throw error('source-not-ready', 'The recording is being read already. Wait until that has ended.');
    const running = (this.#running = new AbortController());
    const abort = () => running.abort();
    signal?.addEventListener('abort', abort);
    if (signal?.aborted) abort();
    const before = control.video?.currentTime ?? 0;
    host.element.paused = true;
    host.store.set({ analysing: 'decoding' });
    // Showing every frame costs a machine without graphics hardware three times what writing it does.
    const stage = host.find('.stage');
    stage?.toggleAttribute('data-exporting', true);
    this.#began = performance.now();
    this.#tell(0, 0);
    try {
      return await this.#write(feed.file!, running.signal);
    } finally {
      signal?.removeEventListener('abort', abort);
      this.#running = this.#progress = null;
      stage?.toggleAttribute('data-exporting', false);
      if (feed === host.shown.feed) {
        host.store.set({ analysing: null });
        void this.#parts.session.current?.goTo(before);
      }
      host.element.requestUpdate();
    }
  }

  async #write(file: Blob | string, signal: AbortSignal): Promise<Blob> {
    const { host, picture, session, error } = this.#parts;
    const canvas = document.createElement('canvas');
    const { VideoWriter } = await this.#parts.loadVideoWriter();
    let writer: VideoWriter | null = null;
    let tracker: ElementTracker<R> | null = null;
    let [first, last, interval, count] = [NaN, NaN, session.current!.clock.interval, 0];
    try {
      for await (const { frame, timestamp, mediaTime } of this.#parts.frames(file, { everyFrame: true, signal })) {
        const copy = frame instanceof VideoFrame ? frame.clone() : null;
        try {
          const known = this.#known.recall(mediaTime, 0)?.result;
          if (!known)
            tracker ??= await host.kind.createTracker(await session.takeEngine(), this.#parts.parameters(), true);
          picture.showFrame(copy, known ?? (await tracker!.process(frame, { timestamp })));
        } finally {
          copy?.close();
        }
        if (signal.aborted) break;
        picture.paintOn(canvas);
        writer ??= await VideoWriter.open(canvas.width, canvas.height);
        if (!writer)
          throw error(
            'source-unsupported',
            'This browser encodes no video of this size. Take another one, or save pictures.',
          );
        if (count) interval = mediaTime - last || interval;
        else first = mediaTime;
        last = mediaTime;
        await writer.add(canvas, (mediaTime - first) / 1000, interval / 1000);
        this.#tell(++count, mediaTime);
      }
      if (signal.aborted) throw error('aborted', 'The export of the video was cancelled.');
      if (!writer) throw error('decode-failed', 'The recording has no frame that could be exported.');
      return await writer.end();
    } catch (cause) {
      await writer?.cancel().catch(() => {}); // the first fault is told
      throw cause;
    } finally {
      tracker?.dispose().catch(() => {}); // the engine may be gone before it
    }
  }

  #tell(frames: number, mediaTime: number): void {
    const now = performance.now();
    if (frames && now - this.#toldAt < tellEvery) return;
    this.#toldAt = now;
    const { host, control } = this.#parts;
    const duration = 1000 * (control.video?.duration ?? NaN);
    const done = duration > 0 && duration < Infinity ? Math.min(1, mediaTime / duration) : null;
    this.#progress = { done, frames, mediaTime, elapsed: now - this.#began };
    host.emit<ProgressDetail>('progress', { done, frames, mediaTime });
    host.element.requestUpdate();
  }
}
