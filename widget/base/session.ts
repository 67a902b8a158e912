/**
 * A session: one feed, one tracker, and its frames. If the engine is slower than playback, the newest frame waits for
 * its turn (Turns). A skipped frame is counted and reported with the next one (Newest). This also holds for a frame
 * lost with the engine's worker, unless it is still displayed: then it is processed again.
 */
import {
  FoveolaError,
  FrameClock,
  type FrameTiming,
  type PresentedFrame,
  type Source,
  type Stamp,
  VideoFrames,
  asFoveolaError,
} from '../../src/index.ts';
import { grabbed, Newest, showAgain, Throttle } from '../../src/internal.ts';
import { type ElementTracker, type Turns, isInterruption } from './engine.ts';
import type { Feed } from './feed.ts';
import {
  type Held,
  painted,
  type Recall,
  type SessionHost,
  Supply,
  type SupplyNews,
  type Place,
  ShownFrames,
} from './session-host.ts';

/** Timeout in milliseconds for the first frame of a local file. */
const NO_PICTURE = 5000;

export class Session<R extends { dropped?: number }> {
  readonly feed: Feed;
  readonly clock: FrameClock;
  /** Number of frames skipped before the results so far. */
  dropped = 0;
  readonly #tracker: ElementTracker<R>;
  readonly #host: SessionHost<R>;
  readonly #video: HTMLVideoElement | null;
  readonly #source: VideoFrames | null;
  readonly #supply: Supply | null;
  readonly #events = new AbortController();
  readonly #turns: Turns;
  readonly #newest = new Newest<FrameTiming, Held>();
  /** Frames in progress. */
  readonly #sent = new Set<FrameTiming>();
  readonly #throttle = new Throttle();
  #frame = -1;
  /** Number of the last frame sent to the tracker. */
  #asked = -1;
  readonly #shown = new ShownFrames();
  #active = false;
  #closed = false;
  /** Timing of the last processed frame. */
  #last: FrameTiming | null = null;
  /** The displayed frame was not processed here. */
  #behind = false;
  #frozen = false;
  #refreshing = false;
  #stale = false;
  /** Resolves with the result of the frame that a step requested. */
  #stepping: ((result: R | null) => void) | null = null;
  /** Number of the image of the waiting frame. */
  #offered = 0;
  /** Target of the step in ms. NaN if any frame will do. */
  #sought = NaN;
  #recall: Recall<R> | null = null;

  constructor(feed: Feed, tracker: ElementTracker<R>, host: SessionHost<R>) {
    this.feed = feed;
    this.#tracker = tracker;
    this.#host = host;
    this.#turns = host.turns;
    this.clock = new FrameClock(feed.live);
    this.#video = feed.element instanceof HTMLVideoElement ? feed.element : null;
    this.#source = this.#video && new VideoFrames(this.#video, (frame) => this.#presented(frame));
    // Some browsers pause a stream that has ended.
    const goes = ({ paused, ended }: HTMLVideoElement) => (feed.live && !feed.external) || !(paused || ended);
    const expected = () => (this.#active && goes(this.#video!)) || this.#video!.seeking;
    this.#supply = this.#video && new Supply(feed, this.#video, expected, (news) => this.#supplied(news));
    // A video of the page does not have an image of the previous frame over it.
    const paused = () => feed.external && this.#active && this.#behind && !this.#frozen && this.again();
    this.#video?.addEventListener('pause', paused, { signal: this.#events.signal });
    for (const type of ['play', 'pause', 'ended'])
      this.#video?.addEventListener(type, () => this.#host.onPlayback(), { signal: this.#events.signal });
    this.#video?.addEventListener('seeking', () => this.#left(), { signal: this.#events.signal });
  }

  get moving(): boolean {
    return this.#video !== null;
  }

  get active(): boolean {
    return this.#active;
  }

  /** Frames are arriving: the session should play, and the video is not paused. */
  get running(): boolean {
    return this.#active && this.#video?.paused === false;
  }

  /** A video of the page that the page has paused. Only the page resumes it. */
  get heldByPage(): boolean {
    return this.feed.external && this.#active && this.#video?.paused === true && !this.#frozen;
  }

  get ended(): boolean {
    return this.#video?.ended ?? false;
  }

  /** The last frame measured with the current settings. A still frame is measured again after a change. */
  get settled(): number {
    return this.#sent.size ? this.#asked : this.#asked - 1;
  }

  /** Number of frames that the video has shown since the frame of the last result. */
  get behind(): number {
    return this.#shown.behind;
  }

  /** Current time on the session's clock. */
  now(): number {
    return this.clock.now((this.#video?.currentTime ?? 0) * 1000);
  }

  /** Shows and processes the first frame, even if nothing plays. */
  async open(play: boolean): Promise<void> {
    this.#source?.start();
    this.#active = play && this.moving;
    if (this.#active && !this.feed.live && !this.feed.external) await showAgain(this.#video!);
    if (this.#active && !this.#closed) await this.play();
    else this.pause();
    if (!this.#video) await this.#still();
    // A paused video that was already on the page does not present a new frame.
    else if (!play || this.#video.paused) this.again();
    // If all frames of a damaged file have the same time, no frame follows the one shown before playback.
    else if (this.feed.file instanceof Blob)
      setTimeout(() => {
        if (this.#frame < 0 && this.#video!.readyState >= HTMLMediaElement.HAVE_CURRENT_DATA && !document.hidden)
          this.again();
      }, NO_PICTURE);
  }

  async play(): Promise<void> {
    this.#active = this.moving;
    if (!this.#video || this.feed.external) return;
    if (this.#video.ended) this.#video.currentTime = 0;
    try {
      await this.#video.play();
    } catch (error) {
      // Removed or replaced while it started. The code that did that continues.
      if ((error as DOMException).name === 'AbortError' || this.#closed) return;
      this.#active = false; // the browser requires a click first
    }
  }

  pause(): void {
    this.#active = false;
    if (this.#video && !this.feed.external) this.#video.pause();
  }

  /** Processes the next frame of a recording (for a live source, the current frame). Null at the end. */
  async step(): Promise<R | null> {
    this.pause();
    const video = this.#video;
    if (!video || this.feed.live) return this.#video ? this.#now() : this.#still();
    const next = video.currentTime + (this.clock.interval / 1000) * (this.#frame < 0 ? 0 : 1);
    if (next >= video.duration || video.ended) return null;
    return this.goTo(next);
  }

  /**
   * Seeks to a time of a recording in seconds. Playback continues from there. Resolves with the result of the frame:
   * the one from `recall`, or a new one. Null if another seek followed, and after an error.
   */
  goTo(seconds: number, recall: Recall<R> | null = null): Promise<R | null> {
    const video = this.#video!;
    return new Promise((resolve) => {
      this.#stepping?.(null);
      this.#stepping = resolve;
      this.#recall = recall;
      this.#sought = 1000 * seconds;
      video.currentTime = seconds;
      // A seek within the same frame does not present anything. Another frame arrives with one of the next two
      // repaints.
      const standing = () => this.#stepping === resolve && this.again();
      const waited = () => {
        setTimeout(standing, 250); // for hidden pages
        requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(standing, 30)));
      };
      video.addEventListener('seeked', waited, { once: true, signal: this.#events.signal });
    });
  }

  /** Shows the frame of a recording that starts at this time. A video of the page is not moved. */
  seek(mediaTime: number): void {
    // Slightly later: times are rounded, and an earlier time would show the previous frame.
    if (this.#video && !this.feed.external) this.#video.currentTime = (mediaTime + 0.5) / 1000;
  }

  /** The frame of `timing` was processed elsewhere and is displayed. The next frame follows it. */
  standAt(timing: FrameTiming): void {
    this.#last = timing;
    this.#behind = true;
    this.#shown.standAt(timing.mediaTime);
    this.seek(timing.mediaTime);
  }

  /**
   * Stops the video for drawing on it, even a video of the page, and processes the current frame. Returns a function
   * that resumes the page's video.
   */
  freeze(): () => void {
    const video = this.#video;
    const played = this.feed.external && video?.paused === false;
    this.pause();
    if (!video) return () => {};
    this.#frozen = true;
    if (played) video.pause();
    if (this.#behind) this.again();
    return () => {
      this.#frozen = false;
      if (played && !this.#closed) void video.play().catch(() => {});
    };
  }

  /** Processes the current frame of a moving source. */
  again(): void {
    if (this.#source) this.#presented(this.#source.current(), true);
  }

  /** Processes the current still frame again after a change of the settings. Does nothing during playback. */
  async refresh(): Promise<void> {
    this.#stale = true;
    if (this.#refreshing) return;
    this.#refreshing = true;
    while (this.#stale && this.#last && !this.#active && !this.#closed) {
      const video = this.#video;
      if (video && video.readyState < HTMLMediaElement.HAVE_CURRENT_DATA) {
        // It is seeking.
        video.addEventListener('canplay', () => void this.refresh(), { once: true, signal: this.#events.signal });
        break;
      }
      this.#stale = false;
      const { timestamp } = this.#last;
      const at = this.#at(null);
      try {
        const result = await this.#ask(video ?? this.feed.still!(), { ...this.#last, timestamp, dropped: 0 });
        this.#deliver(result, { ...this.#last, dropped: 0, throttled: 0 }, at);
      } catch (error) {
        this.#fail(error);
      }
    }
    this.#refreshing = false;
  }

  close(): void {
    this.#closed = true;
    this.#newest.drop();
    this.#source?.stop();
    this.#supply?.close();
    this.#events.abort();
    this.#stepping?.(null);
    this.#tracker.dispose().catch(() => {}); // the engine may be released earlier
    this.feed.dispose();
  }

  #supplied(news: SupplyNews): void {
    if (this.#closed) return;
    if (news instanceof FoveolaError) this.#stepping?.(null);
    this.#host.onSupply?.(news);
  }

  #now(): Promise<R | null> {
    return new Promise((resolve) => {
      this.#stepping?.(null);
      this.#stepping = resolve;
      this.#recall = null;
      this.#sought = NaN;
      this.#presented(this.#source!.current(), true);
    });
  }

  /**
   * Around a seek, the previous frame may be presented late. A frame that is displayed longer than usual is processed
   * by `again`.
   */
  #elsewhere({ media, standing }: PresentedFrame): boolean {
    const ahead = this.#sought - media;
    return !standing && (ahead < -1 || ahead > 1.5 * this.clock.interval);
  }

  async #still(): Promise<R | null> {
    this.#frame++;
    const stamp: Stamp = { timestamp: this.#frame, clock: 'arrival', mediaTime: NaN };
    this.#host.pageTime.frame();
    const timing = (this.#last = this.#timing(stamp)); // so that settings changed meanwhile apply to it
    const at = this.#at(null);
    try {
      const result = await this.#ask(this.feed.still!(), timing);
      this.#deliver(result, timing, at);
      return result;
    } catch (error) {
      this.#fail(error);
      return null;
    }
  }

  #timing(stamp: Stamp): FrameTiming {
    return { frame: this.#frame, ...stamp, dropped: 0, throttled: 0 };
  }

  #presented(frame: PresentedFrame, wanted = false): void {
    const step = this.#stepping;
    if (this.#closed) return;
    if (this.#supply?.dark) return step?.(null);
    if (!frame.standing) {
      this.#supply?.came();
      if (this.#shown.presented(frame.media, this.clock.interval)) this.#host.onPresented?.();
    }
    this.#behind = true;
    wanted ||= this.#frozen; // the last frame of a video that is being stopped arrives after the pause
    if (!((this.#active && !this.#host.standingOnly) || step || wanted)) return;
    if (step && !wanted && this.#elsewhere(frame)) return;
    const known = step && this.#recall?.(frame);
    if (known) {
      this.#stepping = null;
      this.#shown.recalled();
      this.#last = known.timing;
      return step(known.result);
    }
    // During a seek the video does not have a frame. The request is handled when it has one.
    const video = this.#video!;
    const empty = video.readyState < HTMLMediaElement.HAVE_CURRENT_DATA;
    if (empty && (step || wanted)) {
      const again = () => {
        if (!wanted && this.#stepping !== step) return;
        // The reported frame, unless another one has arrived meanwhile.
        const lag = video.currentTime * 1000 - frame.media;
        if (frame.standing || lag < 0 || lag >= this.clock.interval) this.again();
        else this.#presented({ ...frame, missed: 0 }, true);
      };
      video.addEventListener('canplay', again, { once: true, signal: this.#events.signal });
      // For a damaged file, a browser may neither show a frame nor report an error.
      if (this.feed.file instanceof Blob)
        setTimeout(() => {
          if (this.#frame >= 0 || video.readyState >= HTMLMediaElement.HAVE_CURRENT_DATA || document.hidden) return;
          this.#fail(
            new FoveolaError(
              'decode-failed',
              'The browser finds no frame in the recording. Check it in another player.',
            ),
          );
        }, NO_PICTURE);
      return;
    }
    const { pageTime } = this.#host;
    pageTime.frame();
    pageTime.measure('frame', () => {
      this.#frame += 1 + frame.missed;
      this.#newest.miss(frame.missed);
      const timing = this.#timing(this.clock.stamp(frame));
      const playing = !step && !wanted;
      if (playing) {
        if (!this.#throttle.takes(timing.timestamp, this.#host.maxFps)) return this.#newest.miss(1, 1);
        if (empty) return this.#newest.miss(1); // at the end of a loop the browser also calls without a frame
        const picture = grabbed(video, frame.media);
        const held = this.#turns.free ? picture : (picture ?? painted(video));
        if (!held && !this.#turns.free) return this.#newest.miss(1);
        this.#behind = false;
        if (!this.#turns.free) {
          this.#newest.offer(timing, held!);
          this.#offered = this.#shown.number;
          return this.#turns.wait(this.#send);
        }
        const done = this.#process(held ?? video, this.#newest.count(timing), null, this.#at(held));
        this.#turns.add(done.finally(() => held?.close()));
        return;
      }
      this.#stepping = null;
      this.#behind = false;
      // A request does not wait, and nothing waits for it: it may take seconds.
      void this.#process(video, this.#newest.count(timing), step, this.#at(null));
    });
  }

  /** Called when it is this session's turn. */
  readonly #send = (): void => {
    const waiting = this.#newest.take();
    if (!waiting) return;
    const { frame, counts } = waiting;
    const done = this.#process(frame, counts, null, this.#at(frame, this.#offered));
    this.#turns.add(done.finally(() => frame.close()));
  };

  #at(held: Held | null, shown?: number): Place {
    return this.#shown.at(this.feed.external ? null : held, shown);
  }

  #left(): void {
    if (this.#shown.leave(1000 * this.#video!.currentTime, this.clock.interval)) this.#host.onPresented?.();
  }

  async #process(
    source: Source,
    timing: FrameTiming,
    step: ((result: R | null) => void) | null,
    at: Place,
  ): Promise<void> {
    let result: R | null = null;
    this.#sent.add(timing);
    try {
      // The engine takes over the frame (a VideoFrame, which is cheap) before this returns.
      result = await this.#ask(source, timing);
      this.#sent.delete(timing);
      if (result.dropped !== undefined) result.dropped = timing.dropped; // an earlier frame may have been lost meanwhile
      this.#host.pageTime.measure('result', () => this.#deliver(result!, timing, at));
    } catch (error) {
      this.#sent.delete(timing);
      // A restarting engine may process the frame after the lost one.
      this.#newest.lose(
        timing,
        [...this.#sent].find(({ frame }) => frame > timing.frame),
      );
      if (!this.#active || !isInterruption(error)) this.#fail(error);
    } finally {
      at.picture?.close();
      step?.(result);
    }
  }

  async #ask(source: Source, { timestamp, dropped, frame }: FrameTiming): Promise<R> {
    this.#asked = Math.max(this.#asked, frame);
    for (;;)
      try {
        return await this.#tracker.process(source, { timestamp, dropped });
      } catch (error) {
        if (!isInterruption(error) || this.#closed) throw error;
        this.#host.onInterruption(error);
        if (this.#active || frame !== this.#frame) throw error;
      }
  }

  #deliver(result: R, timing: FrameTiming, at: Place): void {
    if (this.#closed) return;
    this.#last = timing;
    this.dropped += timing.dropped;
    this.#host.onResult(result, timing, this.#shown.deliver(at));
  }

  #fail(error: unknown): void {
    if (this.#closed) return;
    this.#host.onFrameFailure(asFoveolaError(error, 'Tracking'));
  }
}
