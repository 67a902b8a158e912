/** Interface between a session and its element, whether frames still arrive, and which frame is displayed. */
import { FoveolaError, type FrameTiming, type PresentedFrame } from '../../src/index.ts';
import { networkFailed, PATIENCE, Patience } from '../../src/internal.ts';
import type { Feed } from './feed.ts';
import type { PageTime } from './host.ts';
import type { Turns } from './engine.ts';

// Monitors whether a source continues to send frames. A server may stall or disconnect, a stream may end or be muted, a
// camera may hang. Each case is detected, has a time limit, and has its own error.

/** Seconds without a frame after which a source is reported as waiting, or a muted stream as muted. */
const NOTICED = 2;

/** Null: frames arrive again. */
export type SupplyNews = 'waiting' | FoveolaError | null;

type Cause = 'ended' | 'dark' | 'silent' | 'data';

const inWords = {
  ended: 'The stream has ended: its camera was unplugged, or its sender has stopped. Give the element another stream.',
  dark: 'The stream sends no frames: its camera is muted or switched off. Tracking continues with its next frame.',
  silent: `The stream has sent no frame for ${PATIENCE} s. Connect the camera again, or close other programs that use it. Tracking continues with its next frame.`,
};

/** A canvas or a screen sends frames only after a change. */
const mayRest = (track: MediaStreamTrack) => 'canvas' in track || 'displaySurface' in track.getSettings();

export class Supply {
  readonly #feed: Feed;
  readonly #video: HTMLVideoElement;
  readonly #tell: (news: SupplyNews) => void;
  readonly #events = new AbortController();
  readonly #waits: readonly Patience[];
  #reported = false;

  /** `expected`: whether frames should arrive now. */
  constructor(feed: Feed, video: HTMLVideoElement, expected: () => boolean, tell: (news: SupplyNews) => void) {
    this.#feed = feed;
    this.#video = video;
    this.#tell = (news) => {
      this.#reported = news !== null;
      tell(news);
    };
    const silent = () => expected() && !document.hidden && this.#cause !== null;
    this.#waits = [
      new Patience(() => this.#notice(), NOTICED, silent),
      new Patience(() => this.#over(), PATIENCE, silent),
    ];
    const options = { signal: this.#events.signal };
    video.addEventListener('error', () => this.#broken(), options);
    for (const track of this.#tracks) track.addEventListener('ended', () => this.#notice(), options);
  }

  /** The stream does not send real frames: black ones replace them. */
  get dark(): boolean {
    const tracks = this.#tracks;
    return tracks.length > 0 && tracks.every(({ muted, enabled }) => muted || !enabled);
  }

  /** A frame has arrived. */
  came(): void {
    for (const wait of this.#waits) wait.renew();
    if (this.#reported) this.#tell(null);
  }

  close(): void {
    this.#events.abort();
    for (const wait of this.#waits) wait.end();
  }

  get #stream(): MediaStream | null {
    const { srcObject } = this.#video;
    return srcObject instanceof MediaStream ? srcObject : null;
  }

  get #tracks(): readonly MediaStreamTrack[] {
    return this.#stream?.getVideoTracks() ?? [];
  }

  /** Reason why no frame arrives. Null if none has to. */
  get #cause(): Cause | null {
    const tracks = this.#tracks;
    if (!this.#stream) return this.#video.readyState < HTMLMediaElement.HAVE_FUTURE_DATA ? 'data' : null;
    if (tracks.every(({ readyState }) => readyState === 'ended')) return 'ended';
    if (this.dark) return 'dark';
    return tracks.every(mayRest) ? null : 'silent';
  }

  #notice(): void {
    const cause = this.#cause;
    if (cause === 'ended' || cause === 'dark') this.#tell(new FoveolaError('source-not-ready', inWords[cause]));
    else if (cause) this.#tell('waiting');
  }

  #over(): void {
    const cause = this.#cause;
    if (cause === 'silent') this.#tell(new FoveolaError('source-not-ready', inWords.silent));
    if (cause === 'data') this.#tell(this.#unreached(`no data arrived for ${PATIENCE} s`));
  }

  #broken(): void {
    const { error, currentTime } = this.#video;
    if (error?.code === MediaError.MEDIA_ERR_NETWORK)
      return this.#tell(this.#unreached('the connection was interrupted'));
    if (error)
      this.#tell(
        new FoveolaError(
          'decode-failed',
          `${this.#feed.name} cannot be played beyond ${currentTime.toFixed(3)} s: ${error.message || 'the browser does not decode it'}.`,
          { cause: error },
        ),
      );
  }

  #unreached(fault: string): FoveolaError {
    const { file, name } = this.#feed;
    const at = `${fault} at ${this.#video.currentTime.toFixed(3)} s`;
    if (file instanceof Blob)
      return new FoveolaError(
        'decode-failed',
        `${name}: the browser finds no further frame (${at}). Check the file in another player.`,
      );
    // The page supplies a blob: URL.
    if (typeof file === 'string' && !file.startsWith('blob:')) return networkFailed(file, at);
    return new FoveolaError('source-not-ready', `${name}: ${at}. Open it again.`);
  }
}

/** A frame that waits for its turn. */
export type Held = VideoFrame | (HTMLCanvasElement & { close(): void });

/** Copy for browsers without VideoFrame. Otherwise elements that find a free turn would block all others. */
export function painted(video: HTMLVideoElement): Held | null {
  if (typeof VideoFrame !== 'undefined') return null;
  const canvas = document.createElement('canvas');
  canvas.width = video.videoWidth;
  canvas.height = video.videoHeight;
  canvas.getContext('2d')?.drawImage(video, 0, 0);
  return Object.assign(canvas, { close: () => void (canvas.width = 0) });
}

export interface SessionHost<R> {
  /** Maximum number of processed frames per second. 0: no limit. */
  readonly maxFps: number;
  /** Only still frames are processed: paused, or after a step. */
  readonly standingOnly?: boolean;
  readonly pageTime: PageTime;
  /** Scheduler of the engine. */
  readonly turns: Turns;
  /** `picture`: image of the frame, if the video may already show another one. */
  onResult(result: R, timing: FrameTiming, picture?: Held | null): void;
  /** The video shows another frame, or is about to. */
  onPresented?(): void;
  onFrameFailure(error: FoveolaError): void;
  /** The frame was lost with the engine's worker. Another worker continues with the next frame. */
  onInterruption(error: FoveolaError): void;
  onPlayback(): void;
  /** The source stops sending frames, or resumes. */
  onSupply?(news: SupplyNews): void;
}

/** A known result, and the times of its frame. */
export interface Known<R> {
  readonly result: R;
  readonly timing: FrameTiming;
}

/** Returns the known result of the displayed frame. Null: it must be processed. */
export type Recall<R> = (frame: PresentedFrame) => Known<R> | null;

// Tracks which frame of a video a result belongs to, and whether that frame is still displayed when the result
// arrives.

/** Position of a frame. Its image, if there is one, can be displayed again. */
export interface Place {
  readonly picture: Held | null;
  readonly shown: number;
  readonly place: number;
}

export class ShownFrames {
  /** Number of displayed frames. */
  #shown = 0;
  /** Number of seeks. */
  #place = 0;
  /** Frame number of the last result. */
  #delivered = -1;
  /** Time of a still frame that was processed elsewhere, in ms. */
  #stands = NaN;

  /** Number of frames that the video has shown since the frame of the last result. */
  get behind(): number {
    return this.#shown - this.#delivered;
  }

  /** Number of the displayed frame. */
  get number(): number {
    return this.#shown;
  }

  /** The video seeks to a frame whose image is already displayed. */
  standAt(media: number): void {
    this.#stands = media;
    this.#delivered = -1; // the video shows it later
  }

  /** Returns whether the presented frame differs from the expected still frame. */
  presented(media: number, interval: number): boolean {
    this.#shown++;
    return !this.#isStanding(media, interval);
  }

  /** Another position is displayed, starting now. Returns false if it is the expected still frame. */
  leave(media: number, interval: number): boolean {
    if (this.#isStanding(media, interval)) return false;
    this.#stands = NaN;
    this.#place++;
    this.#shown++;
    return true;
  }

  /** `held` is cloned, since a tracker may close its input. Null if its image is not displayed again. */
  at(held: Held | null, shown = this.#shown): Place {
    return { picture: held && 'clone' in held ? held.clone() : held, shown, place: this.#place };
  }

  /** A result has arrived. Returns its image, or null if it was measured before the last seek. */
  deliver({ picture, shown, place }: Place): Held | null {
    const here = place === this.#place;
    this.#delivered = here ? shown : -1;
    return here ? picture : null;
  }

  /** The result of the displayed frame was already known. */
  recalled(): void {
    this.#delivered = this.#shown;
  }

  #isStanding(media: number, interval: number): boolean {
    return Math.abs(media - this.#stands) < interval;
  }
}
