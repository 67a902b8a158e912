/**
 * Exports a recording as a video with its overlay. Every frame keeps its own time, and uses its known result or a new
 * one. Faces can be hidden. A first pass over the recording then finds all of them.
 */
import type { html, nothing } from 'lit';
import type { FoveolaError, FoveolaErrorCode, frames, TimedFrame } from '../../../src/index.ts';
import type { canvasIsNoisy, soundOf, SoundPiece } from '../../../src/internal.ts';
import type { AnalysisController } from '../analysis-controller.ts';
import type { Host } from '../../base/host.ts';
import type { AnyResult, Settings, ProgressDetail } from '../../base/kind.ts';
import type { progressBar, ElementTracker, Progress } from '../../base/engine.ts';
import type { PictureController } from '../../base/picture-controller.ts';
import type { RecorderController } from '../recorder-controller.ts';
import type { SessionController } from '../../base/session-controller.ts';
import type { Known } from '../../base/session-host.ts';
import type { StateController } from '../../base/state-controller.ts';
import type { button } from '../../base/views.ts';
import type { PictureWriter, stackRecording, VideoWriter } from './video-writer.ts';
import { type Area, FaceAreas, type FoundFace, hideArea, hidings, type Hiding } from './hide-area.ts';
import type { KnownResults } from './known-results.ts';

// Dependencies that the player's file gets from its element. The CDN scripts contain Lit, and only one copy of Lit
// may exist.

export interface WriterModule {
  VideoWriter: typeof VideoWriter;
  PictureWriter: typeof PictureWriter;
  stackRecording: typeof stackRecording;
}

/** Player state that stays in the element even while the player is not loaded. */
export interface PlayerControl {
  /** Video of the open recording. Null if none is open. */
  readonly video: HTMLVideoElement | null;
  /** Time span in seconds that is played in a loop. */
  range: readonly [from: number, to: number] | null;
  rate: number;
}

/** A frame that was measured before the player had loaded. */
export interface MissedFrame<R> extends Known<R> {
  readonly recorded: boolean;
}

export interface PlayerGiven<R extends AnyResult> {
  readonly host: Host<R>;
  readonly state: StateController<R>;
  readonly picture: PictureController<R>;
  readonly session: SessionController<R>;
  readonly analysis: AnalysisController<R>;
  readonly recorder: RecorderController<R>;
  readonly control: PlayerControl;
  readonly html: typeof html;
  readonly nothing: typeof nothing;
  readonly button: typeof button;
  readonly progressBar: typeof progressBar;
  readonly frames: typeof frames;
  readonly soundOf: typeof soundOf;
  readonly canvasIsNoisy: typeof canvasIsNoisy;
  loadVideoWriter(): Promise<WriterModule>;
  /** The play button, and why it is disabled. */
  toggle(): void;
  unplayable(): string | false;
  /** Current parameters of the trackers. */
  parameters(): Settings;
  /** Creates an error of the page's class. */
  error(code: FoveolaErrorCode, message: string): FoveolaError;
  /** Shows an error. */
  failed(error: unknown, doing: string): void;
  readonly missed: readonly MissedFrame<R>[];
}

export interface VideoOptions {
  signal?: AbortSignal;
  /**
   * For `<foveola-face>`: replaces every head by a few coarse cells, by the same cells drawn smoothly, or by gray.
   * Default: 'pixelate' if the element hides faces, otherwise faces are shown.
   */
  hideFaces?: Hiding | null;
  /**
   * Copies the sound of the recording if the output file can hold it unchanged. Default: true, but false if faces are
   * hidden, because a voice can identify a person.
   */
  sound?: boolean;
}

const tellEvery = 100;
/** Fraction of the progress bar for finding the faces, which is faster than writing. */
const finding = 0.2;

/** Every frame on this canvas is read. Reading a canvas on the GPU would wait for the GPU each time. */
function inMemory(): OffscreenCanvas {
  const canvas = new OffscreenCanvas(1, 1);
  canvas.getContext('2d', { willReadFrequently: true });
  return canvas;
}

const facesOf = (result: object): readonly FoundFace[] => ('faces' in result ? (result.faces as FoundFace[]) : []);

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

  /** Null while no export is running. */
  get progress(): Progress | null {
    return this.#progress;
  }

  cancel(): void {
    this.#running?.abort();
  }

  /** Default for hiding faces. Null: nothing is hidden. Undefined: this element does not show faces. */
  get hiding(): Hiding | null | undefined {
    const { element } = this.#parts.host;
    return 'hideFaces' in element ? (element.hideFaces ? 'pixelate' : null) : undefined;
  }

  async start({ signal, hideFaces = this.hiding, sound = !hideFaces }: VideoOptions = {}): Promise<Blob> {
    const { host, analysis, control, error } = this.#parts;
    if (hideFaces && (this.hiding === undefined || !hidings.includes(hideFaces)))
      throw error(
        'invalid-argument',
        `exportVideo: hideFaces is for <foveola-face>; it must be ${hidings.map((one) => `'${one}'`).join(', ')} or null.`,
      );
    if (typeof sound !== 'boolean') throw error('invalid-argument', 'exportVideo: sound must be true or false.');
    const { feed, failure } = host.shown;
    if (!feed || feed.external || !analysis.possible || failure)
      throw error('source-not-ready', 'No recording is open. Open a video file in the element first.');
    if (analysis.running || this.#running)
      throw error('source-not-ready', 'The recording is already being read. Wait until it has ended.');
    const running = (this.#running = new AbortController());
    const abort = () => running.abort();
    signal?.addEventListener('abort', abort);
    if (signal?.aborted) abort();
    const before = control.video?.currentTime ?? 0;
    host.element.paused = true;
    host.store.set({ analysing: 'decoding' });
    // On a machine without graphics hardware, showing every frame takes three times as long as writing it.
    const stage = host.find('.stage');
    stage?.toggleAttribute('data-exporting', true);
    this.#began = performance.now();
    this.#tell(0, 0);
    try {
      return await this.#write(feed.file!, running.signal, hideFaces ?? null, sound);
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

  /** Uses the known result of a frame, or computes a new one. */
  #measuring() {
    const { host, session } = this.#parts;
    let tracker: ElementTracker<R> | null = null;
    return {
      of: async ({ frame, timestamp, mediaTime }: TimedFrame): Promise<R> => {
        const known = this.#known.recall(mediaTime, 0)?.result;
        if (known) return known;
        tracker ??= await host.kind.createTracker(await session.takeEngine(), this.#parts.parameters(), true);
        return tracker.process(frame, { timestamp });
      },
      end(): void {
        tracker?.dispose().catch(() => {}); // the engine may be released earlier
      },
    };
  }

  /** Finds all heads, and computes the results of all frames, before the first frame is written. */
  async #findFaces(file: Blob | string, signal: AbortSignal) {
    const measuring = this.#measuring();
    const results = new Map<number, R>();
    const areas = new FaceAreas();
    try {
      for await (const timed of this.#parts.frames(file, { everyFrame: true, signal })) {
        const result = await measuring.of(timed);
        if (signal.aborted) break;
        results.set(timed.mediaTime, result);
        areas.add(timed.mediaTime, facesOf(result));
        this.#tell(results.size, timed.mediaTime, 0, finding);
      }
    } finally {
      measuring.end();
    }
    return { results, areas };
  }

  async #write(file: Blob | string, signal: AbortSignal, hiding: Hiding | null, sound: boolean): Promise<Blob> {
    const { host, picture, session, error } = this.#parts;
    const [canvas, bare] = [inMemory(), inMemory()];
    const before = picture.result;
    const { VideoWriter } = await this.#parts.loadVideoWriter();
    const found = hiding && (await this.#findFaces(file, signal));
    const measuring = this.#measuring();
    let writer: VideoWriter | null = null;
    let [last, interval, count] = [NaN, session.current!.clock.interval, 0];
    host.tell('writing', 'begins');
    try {
      for await (const timed of this.#parts.frames(file, { everyFrame: true, signal })) {
        const { frame, mediaTime } = timed;
        const result = found?.results.get(mediaTime) ?? (await measuring.of(timed));
        if (signal.aborted) break;
        host.tell('writing', result);
        picture.prepare(result);
        picture.paintOn(canvas, frame);
        if (found) this.#hide(canvas, bare, frame, found.areas.at(mediaTime), hiding!);
        writer ??= await VideoWriter.open(canvas.width, canvas.height, {
          exact: !this.#parts.canvasIsNoisy(),
          sound: sound ? this.#soundOf(file, signal) : null,
        });
        if (!writer)
          throw error(
            'source-unsupported',
            'This browser cannot encode a video of this size. Use another browser, or export images.',
          );
        if (count) interval = mediaTime - last || interval;
        last = mediaTime;
        await writer.add(canvas, mediaTime / 1000, interval / 1000);
        this.#tell(++count, mediaTime, found ? finding : 0, 1);
      }
      if (signal.aborted) throw error('aborted', 'The export of the video was cancelled.');
      if (!writer) throw error('decode-failed', 'The recording has no frame that could be exported.');
      return await writer.end();
    } catch (cause) {
      await writer?.cancel().catch(() => {}); // report the first error
      throw cause;
    } finally {
      host.tell('writing', 'ended');
      picture.prepare(before); // the overlay of the displayed frame again
      measuring.end();
    }
  }

  /** If the sound of a recording cannot be read, its images are still exported. */
  async *#soundOf(file: Blob | string, signal: AbortSignal): AsyncGenerator<SoundPiece, void> {
    try {
      yield* this.#parts.soundOf(file, signal);
    } catch {
      // errors of the file are reported when its frames are read
    }
  }

  /**
   * Also hides the overlay there, since its contours would reveal much of a face. Overlay colors do not affect the
   * cells.
   */
  #hide(
    canvas: OffscreenCanvas,
    bare: OffscreenCanvas,
    frame: CanvasImageSource,
    areas: readonly Area[],
    how: Hiding,
  ): void {
    const { host } = this.#parts;
    const { mirror } = host.element;
    const { width, height } = Object.assign(bare, { width: canvas.width, height: canvas.height });
    const paint = bare.getContext('2d')!;
    if (mirror) paint.setTransform(-1, 0, 0, 1, width, 0);
    paint.drawImage(frame, 0, 0, width, height);
    const context = canvas.getContext('2d')!;
    const scale = width / host.shown.feed!.width;
    for (const head of areas) {
      // The center of the first pixel is (0, 0).
      const [x, y] = [scale * (head.x + 0.5), scale * (head.y + 0.5)];
      const area = { x, y, width: scale * head.width, height: scale * head.height };
      hideArea(context, mirror ? { ...area, x: width - x - area.width } : area, how, bare);
    }
  }

  /** `from`, `to`: range of the progress bar for this pass. */
  #tell(frames: number, mediaTime: number, from = 0, to = 1): void {
    const now = performance.now();
    if (frames && now - this.#toldAt < tellEvery) return;
    this.#toldAt = now;
    const { host, control } = this.#parts;
    const duration = 1000 * (control.video?.duration ?? NaN);
    const done = duration > 0 && duration < Infinity ? from + (to - from) * Math.min(1, mediaTime / duration) : null;
    this.#progress = { done, frames, mediaTime, elapsed: now - this.#began };
    host.emit<ProgressDetail>('progress', { done, frames, mediaTime });
    host.element.requestUpdate();
  }
}
