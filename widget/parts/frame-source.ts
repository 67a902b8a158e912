/** Calls back for every frame that a video element presents, and counts those that never came. */
import type { Presented } from './clock.ts';

export interface PresentedFrame extends Presented {
  width: number;
  height: number;
  /** Frames between the last call and this one that the browser presented without calling, or dropped itself. */
  missed: number;
}

export class FrameSource {
  readonly #video: HTMLVideoElement;
  readonly #callback: (frame: PresentedFrame) => void;
  #handle = 0;
  #running = false;
  #presented = -1;
  #droppedBefore: number;
  #lastTime = -1;

  constructor(video: HTMLVideoElement, callback: (frame: PresentedFrame) => void) {
    this.#video = video;
    this.#callback = callback;
    this.#droppedBefore = this.#dropped();
  }

  start(): void {
    if (this.#running) return;
    this.#running = true;
    this.#next();
  }

  stop(): void {
    this.#running = false;
    if ('cancelVideoFrameCallback' in this.#video) this.#video.cancelVideoFrameCallback(this.#handle);
    else cancelAnimationFrame(this.#handle);
    this.#presented = -1;
  }

  /** The frame that stands now, for videos that are paused. */
  current(): PresentedFrame {
    const { currentTime, videoWidth, videoHeight } = this.#video;
    const size = { width: videoWidth, height: videoHeight };
    return { now: performance.now(), mediaTime: currentTime, ...size, missed: 0, standing: true };
  }

  #dropped(): number {
    return this.#video.getVideoPlaybackQuality?.().droppedVideoFrames ?? 0;
  }

  #next(): void {
    if ('requestVideoFrameCallback' in this.#video) {
      this.#handle = this.#video.requestVideoFrameCallback(this.#onFrame);
    } else this.#handle = requestAnimationFrame(this.#onAnimation);
  }

  readonly #onFrame = (now: number, metadata: VideoFrameCallbackMetadata) => {
    if (!this.#running) return;
    this.#next(); // first, so that the following frame is not missed
    const dropped = this.#dropped();
    const presented = metadata.presentedFrames;
    // A counter that went back belongs to a new clip.
    const unseen = this.#presented < 0 ? 0 : Math.max(0, presented - this.#presented - 1);
    const missed = unseen + Math.max(0, dropped - this.#droppedBefore);
    this.#presented = presented;
    this.#droppedBefore = dropped;
    const { mediaTime, captureTime, width, height } = metadata;
    this.#callback({ now, mediaTime, width, height, missed, ...(captureTime !== undefined && { captureTime }) });
  };

  // Browsers without requestVideoFrameCallback: look at each repaint whether the time has moved.
  readonly #onAnimation = () => {
    if (!this.#running) return;
    this.#next();
    const { currentTime, readyState } = this.#video;
    if (currentTime === this.#lastTime || readyState < HTMLMediaElement.HAVE_CURRENT_DATA) return;
    this.#lastTime = currentTime;
    this.#callback({ ...this.current(), standing: false });
  };
}
