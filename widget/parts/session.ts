/**
 * A session: one feed, one tracker, the frames between them. Where the engine is slower than what plays, the newest frame
 * waits for its turn (Turns); a frame that is left out is counted and reported with the next one (Newest). So is one that
 * was lost with the engine's worker, unless it still stands: then it is processed once more.
 */
import {
  asFoveolaError,
  FoveolaError,
  FrameClock,
  type FrameTiming,
  grabbed,
  Newest,
  type PresentedFrame,
  showAgain,
  type Source,
  type Stamp,
  Throttle,
  VideoFrames,
} from '../../src/index.ts';
import type { ElementTracker, Turns } from './engine.ts';
import type { Feed } from './feed.ts';
import { type Held, painted, type Recall, type SessionHost, Supply, type SupplyNews } from './session-host.ts';
import { isInterruption } from './progress.ts';
import { type Place, ShownFrames } from './shown-frames.ts';

/** Milliseconds after which a file of the device has its first picture, or none. */
const NO_PICTURE = 5000;

export class Session<R extends { dropped?: number }> {
  readonly feed: Feed;
  readonly clock: FrameClock;
  /** Frames that were left out before the results that came. */
  dropped = 0;
  readonly #tracker: ElementTracker<R>;
  readonly #host: SessionHost<R>;
  readonly #video: HTMLVideoElement | null;
  readonly #source: VideoFrames | null;
  readonly #supply: Supply | null;
  readonly #events = new AbortController();
  readonly #turns: Turns;
  readonly #newest = new Newest<FrameTiming, Held>();
  /** Frames that are worked on. */
  readonly #sent = new Set<FrameTiming>();
  readonly #throttle = new Throttle();
  #frame = -1;
  /** The last frame that the tracker was given. */
  #asked = -1;
  readonly #shown = new ShownFrames();
  #active = false;
  #closed = false;
  /** Of the frame that was processed last. */
  #last: FrameTiming | null = null;
  /** The frame that is shown is none that was processed here. */
  #behind = false;
  #frozen = false;
  #refreshing = false;
  #stale = false;
  /** Resolved with the result of the frame that a step asked for. */
  #stepping: ((result: R | null) => void) | null = null;
  /** The picture of the frame that waits. */
  #offered = 0;
  /** Where the step goes to, ms; NaN where any frame will do. */
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
    // A video of the page's own has no picture of the frame before over it.
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

  /** Frames come: it is to play, and nobody has paused the video. */
  get running(): boolean {
    return this.#active && this.#video?.paused === false;
  }

  /** A video of the page's own that the page has paused: only the page plays it again. */
  get heldByPage(): boolean {
    return this.feed.external && this.#active && this.#video?.paused === true && !this.#frozen;
  }

  get ended(): boolean {
    return this.#video?.ended ?? false;
  }

  /** The last frame that is measured with the settings as they are; what stands is measured again after a change. */
  get settled(): number {
    return this.#sent.size ? this.#asked : this.#asked - 1;
  }

  /** How many pictures the video has shown since that of the last result. */
  get behind(): number {
    return this.#shown.behind;
  }

  /** Time on the session's clock now. */
  now(): number {
    return this.clock.now((this.#video?.currentTime ?? 0) * 1000);
  }

  /** Shows and processes the first frame also where nothing plays. */
  async open(play: boolean): Promise<void> {
    this.#source?.start();
    this.#active = play && this.moving;
    if (this.#active && !this.feed.live && !this.feed.external) await showAgain(this.#video!);
    if (this.#active && !this.#closed) await this.play();
    else this.pause();
    if (!this.#video) await this.#still();
    // A paused video that was already on the page presents nothing new.
    else if (!play || this.#video.paused) this.again();
    // Where all frames of a damaged one have the same time, none comes after that which stood before it was played.
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
      // Removed or replaced while it started: whoever did that goes on.
      if ((error as DOMException).name === 'AbortError' || this.#closed) return;
      this.#active = false; // the browser wants a click first
    }
  }

  pause(): void {
    this.#active = false;
    if (this.#video && !this.feed.external) this.#video.pause();
  }

  /** Processes the next frame of a recording (a live source: the frame of now); null at its end. */
  async step(): Promise<R | null> {
    this.pause();
    const video = this.#video;
    if (!video || this.feed.live) return this.#video ? this.#now() : this.#still();
    const next = video.currentTime + (this.clock.interval / 1000) * (this.#frame < 0 ? 0 : 1);
    if (next >= video.duration || video.ended) return null;
    return this.goTo(next);
  }

  /**
   * Goes to this second of a recording; what plays goes on from there. Resolves with the result of the frame: the one that
   * `recall` has, else it is processed. Null where another place was asked for meanwhile, and after a failure.
   */
  goTo(seconds: number, recall: Recall<R> | null = null): Promise<R | null> {
    const video = this.#video!;
    return new Promise((resolve) => {
      this.#stepping?.(null);
      this.#stepping = resolve;
      this.#recall = recall;
      this.#sought = 1000 * seconds;
      video.currentTime = seconds;
      // A seek into the same frame presents nothing. Another frame comes with the next repaint or the one after it.
      const standing = () => this.#stepping === resolve && this.again();
      const waited = () => {
        setTimeout(standing, 250); // of a page that is hidden
        requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(standing, 30)));
      };
      video.addEventListener('seeked', waited, { once: true, signal: this.#events.signal });
    });
  }

  /** Shows the frame of a recording that begins at this time. A video of the page's own stays where it is. */
  seek(mediaTime: number): void {
    // A hair later: seconds are rounded, and before it the frame before is shown.
    if (this.#video && !this.feed.external) this.#video.currentTime = (mediaTime + 0.5) / 1000;
  }

  /** The frame of `timing` was processed elsewhere and is shown; the next one follows it. */
  standAt(timing: FrameTiming): void {
    this.#last = timing;
    this.#behind = true;
    this.#shown.standAt(timing.mediaTime);
    this.seek(timing.mediaTime);
  }

  /**
   * Stops the picture so that something can be drawn on it, a video of the page's own too, and processes the frame that
   * then stands. Returns how the page's video goes on.
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

  /** Processes the frame that stands, of what moves. */
  again(): void {
    if (this.#source) this.#presented(this.#source.current(), true);
  }

  /** Processes the frame that stands once more, after a change of the settings; nothing while it plays. */
  async refresh(): Promise<void> {
    this.#stale = true;
    if (this.#refreshing) return;
    this.#refreshing = true;
    while (this.#stale && this.#last && !this.#active && !this.#closed) {
      this.#stale = false;
      const { timestamp } = this.#last;
      const at = this.#at(null);
      try {
        const result = await this.#ask(this.#video ?? this.feed.still!(), { ...this.#last, timestamp, dropped: 0 });
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
    this.#tracker.dispose().catch(() => {}); // the engine may be gone before it
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

  /** Around a seek the frame before it may be presented late; a frame that stands longer than usual is looked at by `again`. */
  #elsewhere({ media, standing }: PresentedFrame): boolean {
    const ahead = this.#sought - media;
    return !standing && (ahead < -1 || ahead > 1.5 * this.clock.interval);
  }

  async #still(): Promise<R | null> {
    this.#frame++;
    const stamp: Stamp = { timestamp: this.#frame, clock: 'arrival', mediaTime: NaN };
    this.#host.pageTime.frame();
    const timing = (this.#last = this.#timing(stamp)); // new settings count while it is being processed
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
    wanted ||= this.#frozen; // the last frame of a video that is being stopped comes after the pause
    if (!((this.#active && !this.#host.standingOnly) || step || wanted)) return;
    if (step && !wanted && this.#elsewhere(frame)) return;
    const known = step && this.#recall?.(frame);
    if (known) {
      this.#stepping = null;
      this.#shown.recalled();
      this.#last = known.timing;
      return step(known.result);
    }
    // In the middle of a seek the video has no frame to give. What was asked for is done when it has one.
    const video = this.#video!;
    const empty = video.readyState < HTMLMediaElement.HAVE_CURRENT_DATA;
    if (empty && (step || wanted)) {
      const again = () => {
        if (!wanted && this.#stepping !== step) return;
        // The frame that was reported, unless another one has come meanwhile.
        const lag = video.currentTime * 1000 - frame.media;
        if (frame.standing || lag < 0 || lag >= this.clock.interval) this.again();
        else this.#presented({ ...frame, missed: 0 }, true);
      };
      video.addEventListener('canplay', again, { once: true, signal: this.#events.signal });
      // Of a damaged one a browser may neither show a picture nor say so.
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
        if (empty) return this.#newest.miss(1); // at the seam of a loop the browser calls without one as well
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
      // What is asked for does not wait, and nobody waits for it: it may take seconds.
      void this.#process(video, this.#newest.count(timing), step, this.#at(null));
    });
  }

  /** It is this session's turn. */
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
      // The engine takes the frame (a VideoFrame, which costs next to nothing) before this returns.
      result = await this.#ask(source, timing);
      this.#sent.delete(timing);
      if (result.dropped !== undefined) result.dropped = timing.dropped; // one before it may have been lost meanwhile
      this.#host.pageTime.measure('result', () => this.#deliver(result!, timing, at));
    } catch (error) {
      this.#sent.delete(timing);
      // An engine that starts again may take the frame after the one it lost.
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
