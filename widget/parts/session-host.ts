/** What a session tells and asks of the element that it belongs to. */
import {
  FoveolaError,
  networkFailed,
  PATIENCE,
  Patience,
  type FrameTiming,
  type PresentedFrame,
} from '../../src/index.ts';
import type { Feed } from './feed.ts';
import type { PageTime } from './host.ts';
import type { Turns } from './engine.ts';

// Whether a source goes on giving pictures. A server may be silent or break off, a stream may end or be muted, a camera may hang:
// each is noticed, has a limit, and an error that says which it was.

/** Seconds without a picture after which a source is said to wait, and a muted one to be muted. */
const NOTICED = 2;

/** Null: pictures come again. */
export type SupplyNews = 'waiting' | FoveolaError | null;

type Cause = 'ended' | 'dark' | 'silent' | 'data';

const inWords = {
  ended: 'The stream has ended: its camera was unplugged, or its sender has stopped. Give the element another stream.',
  dark: 'The stream sends no frames: its camera is muted or switched off, by the device, the system or the page. Tracking continues with its next frame.',
  silent: `The stream has sent no frame for ${PATIENCE} s. Connect the camera again, or close other programs that use it. Tracking continues with its next frame.`,
};

/** A canvas and a screen send pictures only when something changes on them. */
const mayRest = (track: MediaStreamTrack) => 'canvas' in track || 'displaySurface' in track.getSettings();

export class Supply {
  readonly #feed: Feed;
  readonly #video: HTMLVideoElement;
  readonly #tell: (news: SupplyNews) => void;
  readonly #events = new AbortController();
  readonly #waits: readonly Patience[];
  #reported = false;

  /** `expected`: whether pictures are to come now. */
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

  /** What the stream sends are no pictures: black ones stand for them. */
  get dark(): boolean {
    const tracks = this.#tracks;
    return tracks.length > 0 && tracks.every(({ muted, enabled }) => muted || !enabled);
  }

  /** A picture has come. */
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

  /** Why no picture comes; null where none has to. */
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
    // A blob: address is the page's own supply.
    if (typeof file === 'string' && !file.startsWith('blob:')) return networkFailed(file, at);
    return new FoveolaError('source-not-ready', `${name}: ${at}. Open it again.`);
  }
}

/** A frame that waits for its turn. */
export type Held = VideoFrame | (HTMLCanvasElement & { close(): void });

/** The same where the browser has no VideoFrame: else those who find a free turn would leave none to all others. */
export function painted(video: HTMLVideoElement): Held | null {
  if (typeof VideoFrame !== 'undefined') return null;
  const canvas = document.createElement('canvas');
  canvas.width = video.videoWidth;
  canvas.height = video.videoHeight;
  canvas.getContext('2d')?.drawImage(video, 0, 0);
  return Object.assign(canvas, { close: () => void (canvas.width = 0) });
}

export interface SessionHost<R> {
  /** Frames a second that are processed at most; 0 for all. */
  readonly maxFps: number;
  /** Frames are processed only where they stand: paused, or by a step. */
  readonly standingOnly?: boolean;
  readonly pageTime: PageTime;
  /** Those of the engine. */
  readonly turns: Turns;
  /** `picture`: that of the frame, where the video may show another one by now. */
  onResult(result: R, timing: FrameTiming, picture?: Held | null): void;
  /** The video shows another picture, or is about to. */
  onPresented?(): void;
  onFrameFailure(error: FoveolaError): void;
  /** The frame went with the engine's worker; another worker goes on with the next one. */
  onInterruption(error: FoveolaError): void;
  onPlayback(): void;
  /** The source sends no pictures, or sends them again. */
  onSupply?(news: SupplyNews): void;
}

/** A result of an earlier time, and the times of its frame. */
export interface Known<R> {
  readonly result: R;
  readonly timing: FrameTiming;
}

/** What is known of the frame that is shown; null: it has to be processed. */
export type Recall<R> = (frame: PresentedFrame) => Known<R> | null;
