/** Frames of a video element as they are presented: one source for the library's `frames` and for the elements. */
import { asFoveolaError, FoveolaError } from '../runtime/error.ts';
import type { FrameTimes, RawFrame } from './clock.ts';
import { checkDecoded } from './size.ts';
import { isSecurityError, tainted } from './to-packet.ts';

/**
 * The rule for frames that arrive faster than they are processed: the newest wins. At most one waits, and a newer one
 * replaces it. Skipped frames are counted for the frame that follows them. So the processed and dropped frames together
 * are all frames that arrived.
 */
export interface Counts {
  /** Frames directly before this one that were skipped. */
  dropped: number;
  /** The skipped frames that a frame rate limit skipped. */
  throttled: number;
}

export class Newest<C extends Counts, F extends { close(): void }> {
  #waiting: { counts: C; frame: F } | null = null;
  #left: Counts = { dropped: 0, throttled: 0 };

  /** Counts frames that arrived and are not offered. */
  miss(dropped: number, throttled = 0): void {
    this.#left.dropped += dropped;
    this.#left.throttled += throttled;
  }

  /** Writes the number of frames skipped before the new frame, including one that waits, into its `counts`. */
  count(counts: C): C {
    this.drop();
    const { dropped, throttled } = this.#left;
    counts.dropped += dropped;
    counts.throttled += throttled;
    this.miss(-dropped, -throttled);
    return counts;
  }

  /** Makes the new frame wait. It is closed here unless it is taken. */
  offer(counts: C, frame: F): void {
    this.#waiting = { counts: this.count(counts), frame };
  }

  take(): { counts: C; frame: F } | null {
    const waiting = this.#waiting;
    this.#waiting = null;
    return waiting;
  }

  /** Drops the waiting frame. */
  drop(): void {
    const waiting = this.take();
    if (!waiting) return;
    waiting.frame.close();
    this.lose(waiting.counts);
  }

  /** Counts a frame that was processed without a result. `follows`: the next frame, if it is still being processed. */
  lose({ dropped, throttled }: Counts, follows: Counts = this.#waiting?.counts ?? this.#left): void {
    follows.dropped += 1 + dropped;
    follows.throttled += throttled;
  }
}

/** A frame that the element shows, with its known times. */
export interface PresentedFrame extends FrameTimes {
  media: number;
  /** Frames between the last callback and this one that the browser presented without a callback, or dropped itself. */
  missed: number;
}

/** Calls back for every frame that a video element presents, and counts the frames without a callback. */
export class VideoFrames {
  readonly #video: HTMLVideoElement;
  readonly #callback: (frame: PresentedFrame) => void;
  #handle = 0;
  #running = false;
  /** Number of frames that the browser had presented at the last callback. Null before the first. */
  #presented: number | null = null;
  #droppedBefore = 0;
  #lastTime = -1;

  constructor(video: HTMLVideoElement, callback: (frame: PresentedFrame) => void) {
    this.#video = video;
    this.#callback = callback;
  }

  start(): void {
    if (this.#running) return;
    this.#running = true;
    this.#presented = null;
    this.#droppedBefore = this.#quality?.droppedVideoFrames ?? 0;
    this.#next();
  }

  stop(): void {
    this.#running = false;
    if ('cancelVideoFrameCallback' in this.#video) this.#video.cancelVideoFrameCallback(this.#handle);
    else cancelAnimationFrame(this.#handle);
  }

  /** The current frame, for videos that are paused. */
  current(): PresentedFrame {
    return { arrival: performance.now(), media: this.#video.currentTime * 1000, missed: 0, standing: true };
  }

  get #quality(): VideoPlaybackQuality | undefined {
    return this.#video.getVideoPlaybackQuality?.();
  }

  #next(): void {
    if ('requestVideoFrameCallback' in this.#video) {
      this.#handle = this.#video.requestVideoFrameCallback(this.#onFrame);
    } else this.#handle = requestAnimationFrame(this.#onAnimation);
  }

  /** A counter that decreased belongs to a new video. */
  #unseen(presented: number): number {
    const before = this.#presented;
    this.#presented = presented;
    return before === null ? 0 : Math.max(0, presented - before - 1);
  }

  readonly #onFrame = (now: number, { presentedFrames, mediaTime, captureTime }: VideoFrameCallbackMetadata) => {
    if (!this.#running) return;
    this.#next(); // first, so that the following frame is not missed
    // For a stream, the browser also counts a dropped frame as presented.
    const dropped = this.#video.srcObject ? 0 : (this.#quality?.droppedVideoFrames ?? 0);
    const missed = this.#unseen(presentedFrames) + Math.max(0, dropped - this.#droppedBefore);
    this.#droppedBefore = dropped;
    const times = { arrival: now, media: mediaTime * 1000, ...(captureTime !== undefined && { capture: captureTime }) };
    this.#callback({ ...times, missed });
  };

  // For browsers without requestVideoFrameCallback: checks at each repaint whether the time has changed.
  readonly #onAnimation = (now: number) => {
    if (!this.#running) return;
    this.#next();
    const { currentTime, readyState } = this.#video;
    if (currentTime === this.#lastTime || readyState < HTMLMediaElement.HAVE_CURRENT_DATA) return;
    this.#lastTime = currentTime;
    const total = this.#quality?.totalVideoFrames; // including dropped ones
    this.#callback({ arrival: now, media: currentTime * 1000, missed: total === undefined ? 0 : this.#unseen(total) });
  };
}

/** Milliseconds after which a hidden page, which presents nothing, continues. */
const SHOWN = 1000;

/**
 * An opened recording shows its first frame before any callback is registered. This shows it again, so that it is
 * reported with its time. Await this before you play it, because playing could hide the frame.
 */
export function showAgain(video: HTMLVideoElement): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, SHOWN);
    if ('requestVideoFrameCallback' in video) video.requestVideoFrameCallback(() => resolve());
    else (video as HTMLVideoElement).addEventListener('seeked', () => resolve(), { once: true });
    video.currentTime = video.currentTime;
  });
}

export type { RawFrame };

type RawTimes = FrameTimes & Counts & { media: number };
/** The next frame. Null at the end and after an error. */
type Wanted = RawTimes | 'resized' | null;

export const abortedError = (signal: AbortSignal) =>
  new FoveolaError('aborted', 'Reading frames was cancelled.', { cause: signal.reason });

/** The frame that is shown, synchronously. Null if the browser does not support this. */
export function grabbed(video: HTMLVideoElement, media: number): VideoFrame | null {
  try {
    return new VideoFrame(video, { timestamp: Math.round(media * 1000) });
  } catch {
    return null;
  }
}

async function grab(video: HTMLVideoElement, media: number): Promise<VideoFrame | ImageBitmap> {
  const frame = grabbed(video, media);
  if (frame) return frame;
  try {
    return await createImageBitmap(video);
  } catch (cause) {
    if (isSecurityError(cause)) throw tainted('video', cause);
    throw asFoveolaError(cause, 'Taking a frame of the video');
  }
}

/**
 * Ends with the video. A paused video waits. If several frames are presented between two requests, the newest is kept.
 */
export async function* presentedFrames(video: HTMLVideoElement, signal?: AbortSignal): AsyncGenerator<RawFrame, void> {
  const events = new AbortController();
  const options = { signal: events.signal };
  const newest = new Newest<RawTimes, VideoFrame>();
  let wanted: ((times: Wanted) => void) | null = null;
  const settle = (times: Wanted) => {
    wanted?.(times);
    wanted = null;
  };
  const frames = new VideoFrames(video, ({ missed, ...times }) => {
    newest.miss(missed);
    const counted = { ...times, dropped: 0, throttled: 0 };
    if (wanted) return settle(newest.count(counted));
    const frame = grabbed(video, times.media);
    if (frame) newest.offer(counted, frame);
    else newest.miss(1);
  });
  for (const type of ['ended', 'emptied', 'error']) video.addEventListener(type, () => settle(null), options);
  video.addEventListener('resize', () => settle('resized'), options);
  signal?.addEventListener('abort', () => settle(null), options);
  try {
    frames.start();
    for (;;) {
      if (signal?.aborted) throw abortedError(signal);
      if (video.error) throw new FoveolaError('decode-failed', `The video stopped: ${video.error.message}`);
      if (video.videoWidth) checkDecoded(video.videoWidth, video.videoHeight);
      const kept = newest.take();
      if (kept) {
        yield { ...kept.counts, frame: kept.frame };
        continue;
      }
      if (video.ended && !video.loop) return;
      const times = await new Promise<Wanted>((resolve) => (wanted = resolve));
      if (times === 'resized') continue;
      if (times) yield { ...times, frame: await grab(video, times.media) };
      else if (!signal?.aborted && !video.error) return;
    }
  } finally {
    newest.drop();
    frames.stop();
    events.abort();
  }
}
