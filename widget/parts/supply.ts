/**
 * Whether a source goes on giving pictures. A server may be silent or break off, a stream may end or be muted, a camera may hang:
 * each is noticed, has a limit, and an error that says which it was.
 */
import { FoveolaError, networkFailed, PATIENCE, Patience } from '../../src/index.ts';
import type { Feed } from './feed.ts';

/** Seconds without a picture after which a source is said to wait, and a muted one to be muted. */
const NOTICED = 2;

/** Null: pictures come again. */
export type SupplyNews = 'waiting' | FoveolaError | null;

type Cause = 'ended' | 'dark' | 'silent' | 'data';

const inWords = {
  ended: 'The stream has ended: its camera was unplugged, or its sender has stopped. Give the element another stream.',
  dark: 'The stream sends no picture: its camera is muted or switched off, by the device, the system or the page. Tracking continues with its next picture.',
  silent: `The stream has sent no picture for ${PATIENCE} s. Connect the camera again, or close other programs that use it. Tracking continues with its next picture.`,
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
    if (cause === 'data') this.#tell(this.#unreached(`no data has come for ${PATIENCE} s`));
  }

  #broken(): void {
    const { error, currentTime } = this.#video;
    if (error?.code === MediaError.MEDIA_ERR_NETWORK) return this.#tell(this.#unreached('the connection broke off'));
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
        `${name}: the browser finds no further picture (${at}). The file is damaged.`,
      );
    // A blob: address is the page's own supply.
    if (typeof file === 'string' && !file.startsWith('blob:')) return networkFailed(file, at);
    return new FoveolaError('source-not-ready', `${name}: ${at}. Open it again.`);
  }
}
