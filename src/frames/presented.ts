/** Frames of a video element as they are presented: one source for the library's `frames` and for the elements. */
import { asFoveolaError, FoveolaError } from '../runtime/error.ts';
import type { FrameTimes } from './clock.ts';

/** A frame that the element shows, with the times that are known of it. */
export interface PresentedFrame extends FrameTimes {
  media: number;
  /** Frames between the last call and this one that the browser presented without calling, or dropped itself. */
  missed: number;
}

/** Calls back for every frame that a video element presents, and counts those that never came. */
export class VideoFrames {
  readonly #video: HTMLVideoElement;
  readonly #callback: (frame: PresentedFrame) => void;
  #handle = 0;
  #running = false;
  /** Frames that the browser had presented at the last call; null before the first. */
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

  /** The frame that stands now, for videos that are paused. */
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

  /** A counter that went back belongs to a new clip. */
  #unseen(presented: number): number {
    const before = this.#presented;
    this.#presented = presented;
    return before === null ? 0 : Math.max(0, presented - before - 1);
  }

  readonly #onFrame = (now: number, { presentedFrames, mediaTime, captureTime }: VideoFrameCallbackMetadata) => {
    if (!this.#running) return;
    this.#next(); // first, so that the following frame is not missed
    const dropped = this.#quality?.droppedVideoFrames ?? 0;
    const missed = this.#unseen(presentedFrames) + Math.max(0, dropped - this.#droppedBefore);
    this.#droppedBefore = dropped;
    const times = { arrival: now, media: mediaTime * 1000, ...(captureTime !== undefined && { capture: captureTime }) };
    this.#callback({ ...times, missed });
  };

  // Browsers without requestVideoFrameCallback: look at each repaint whether the time has moved.
  readonly #onAnimation = (now: number) => {
    if (!this.#running) return;
    this.#next();
    const { currentTime, readyState } = this.#video;
    if (currentTime === this.#lastTime || readyState < HTMLMediaElement.HAVE_CURRENT_DATA) return;
    this.#lastTime = currentTime;
    const total = this.#quality?.totalVideoFrames; // dropped ones included
    this.#callback({ arrival: now, media: currentTime * 1000, missed: total === undefined ? 0 : this.#unseen(total) });
  };
}

/** A frame with its pixels and the times that its source knows. Whoever receives it closes it. */
export interface RawFrame extends FrameTimes {
  frame: VideoFrame | ImageBitmap;
  /** Frames that the source had since the last one and that were not taken. */
  dropped: number;
}

export const abortedError = (signal: AbortSignal) =>
  new FoveolaError('aborted', 'Reading frames was cancelled.', { cause: signal.reason });

async function grab(video: HTMLVideoElement, media: number): Promise<VideoFrame | ImageBitmap> {
  try {
    if (typeof VideoFrame === 'undefined') return await createImageBitmap(video);
    return new VideoFrame(video, { timestamp: Math.round(media * 1000) });
  } catch (cause) {
    if (cause instanceof DOMException && cause.name === 'SecurityError')
      throw new FoveolaError(
        'source-tainted',
        'The video comes from another origin without CORS, so its pixels cannot be read. Load it with crossorigin="anonymous" from a server that sends Access-Control-Allow-Origin.',
        { cause },
      );
    throw asFoveolaError(cause, 'Taking a frame of the video');
  }
}

/** Ends with the video. A paused video waits. What is presented while nobody asks is counted as dropped. */
export async function* presentedFrames(video: HTMLVideoElement, signal?: AbortSignal): AsyncGenerator<RawFrame, void> {
  const events = new AbortController();
  const options = { signal: events.signal };
  let dropped = 0;
  let wanted: ((frame: PresentedFrame | null) => void) | null = null;
  const settle = (frame: PresentedFrame | null) => {
    wanted?.(frame);
    wanted = null;
  };
  const frames = new VideoFrames(video, (frame) => {
    dropped += frame.missed;
    if (wanted) settle(frame);
    else dropped++;
  });
  for (const type of ['ended', 'emptied', 'error']) video.addEventListener(type, () => settle(null), options);
  signal?.addEventListener('abort', () => settle(null), options);
  try {
    frames.start();
    for (;;) {
      const over = signal?.aborted || video.error || (video.ended && !video.loop);
      const shown = over ? null : await new Promise<PresentedFrame | null>((resolve) => (wanted = resolve));
      if (signal?.aborted) throw abortedError(signal);
      if (video.error) throw new FoveolaError('decode-failed', `The video broke off: ${video.error.message}`);
      if (!shown) return;
      const { media, capture, arrival } = shown;
      const row = { media, arrival, ...(capture !== undefined && { capture }), dropped };
      dropped = 0;
      yield { ...row, frame: await grab(video, media) };
    }
  } finally {
    frames.stop();
    events.abort();
  }
}
