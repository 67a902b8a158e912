/** frames(): one way to read every moving source, frame by frame, each with its time. */
import { asFoveolaError, asOurs, FoveolaError } from '../runtime/error.ts';
import { type FrameTimes, FrameClock } from './clock.ts';
import { type Counts, Newest, abortedError, type RawFrame, presentedFrames, showAgain } from './presented.ts';
import { loadPart, partPlace, type PartPlace } from '../runtime/engine/assets.ts';
import type * as EveryFrame from './every-frame.ts';
import type { SoundPiece } from './read-recording.ts';
import { type Clock, clocks } from '../results/export-pupil.ts';
import type { ImageFileNotes } from '../results/types.ts';
import { patientFetch } from '../runtime/patience.ts';
import { identify, imageJob, readHeader } from './blob-header.ts';
import { stackFrames } from './image-files.ts';
import { checkDecoded } from './size.ts';
import { openVideo } from './video.ts';

// Frames of a track as they arrive, if the page has MediaStreamTrackProcessor. It also works in hidden pages.

interface TrackProcessor {
  readable: ReadableStream<VideoFrame>;
}
type TrackProcessorClass = new (init: { track: MediaStreamTrack; maxBufferSize?: number }) => TrackProcessor;

/** Undefined if the page does not support it. */
const trackProcessor = (): TrackProcessorClass | undefined =>
  (globalThis as { MediaStreamTrackProcessor?: TrackProcessorClass }).MediaStreamTrackProcessor;

/** Always the newest frame of a track. Frames in between are closed and counted. */
async function* trackFrames(track: MediaStreamTrack, signal?: AbortSignal): AsyncGenerator<RawFrame, void> {
  const reader = new (trackProcessor()!)({ track, maxBufferSize: 2 }).readable.getReader();
  const newest = new Newest<FrameTimes & Counts, VideoFrame>();
  let ended = false;
  let failed: unknown;
  let wake = () => {};
  const abort = () => wake();
  signal?.addEventListener('abort', abort);
  const pump = (async () => {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) break;
      const metadata = (value as { metadata?: () => { captureTime?: number } }).metadata?.();
      const media = value.timestamp / 1000;
      const times = { media, capture: metadata?.captureTime, arrival: performance.now() };
      newest.offer({ ...times, dropped: 0, throttled: 0 }, value);
      wake();
    }
  })().then(
    () => ((ended = true), wake()),
    (error) => ((failed = error), (ended = true), wake()),
  );
  try {
    for (;;) {
      if (signal?.aborted) throw abortedError(signal);
      const kept = newest.take();
      if (kept) yield { ...kept.counts, frame: kept.frame };
      else if (ended) {
        if (failed) throw asFoveolaError(failed, 'Reading the track');
        return;
      } else await new Promise<void>((resolve) => (wake = resolve));
    }
  } finally {
    signal?.removeEventListener('abort', abort);
    await reader.cancel().catch(() => {});
    await pump;
    newest.drop();
  }
}

/** Skips frames to keep the frame rate below a limit. */
export class Throttle {
  #due = -Infinity;

  /** Whether the frame at this time, in milliseconds, is used. With 0 frames per second, all frames are used. */
  takes(timestamp: number, perSecond: number): boolean {
    const interval = perSecond > 0 ? 1000 / perSecond : 0;
    // A frame that is early by up to a tenth of the interval is on time, because presentation jitters.
    if (interval && timestamp < this.#due - interval / 10) return false;
    // Follows a regular grid while frames arrive in time. Otherwise the grid restarts at this frame.
    this.#due = (timestamp - this.#due < interval ? this.#due : timestamp) + interval;
    return true;
  }
}

// The part that demuxes recordings is large and rarely needed, so it is loaded on demand: every-frame.js.

type Read<T> = (module: typeof EveryFrame, place: PartPlace) => AsyncGenerator<T, void>;

async function* reading<T>(read: Read<T>): AsyncGenerator<T, void> {
  const file = 'every-frame.js';
  const need = 'Every frame of a recording needs the demuxer';
  const module = await loadPart(file, () => import('./every-frame.ts'), need, 'read the frames during playback');
  try {
    yield* read(module, partPlace(file));
  } catch (error) {
    throw asOurs(error);
  }
}

const everyFrameOf = (source: Blob | string, signal?: AbortSignal): AsyncGenerator<RawFrame, void> =>
  reading((module, place) => module.everyFrameOf(source, signal, place));

/** The stored (encoded) sound: its encoding first, then its pieces. Empty if there is no sound. */
export const soundOf = (source: Blob | string, signal?: AbortSignal): AsyncGenerator<SoundPiece, void> =>
  reading((module, place) => module.soundOf(source, signal, place));

export type FramesSource = HTMLVideoElement | MediaStream | Blob | string;

export interface FramesOptions {
  /** Ends the reading: the loop throws 'aborted'. To end it without an error, use `break`. */
  signal?: AbortSignal;
  /** Each frame of a recording once, in order, as fast as they can be decoded. */
  everyFrame?: boolean;
  /** The clock of the timestamps. Default: 'media' for recordings and 'capture' for cameras. */
  timestampSource?: Clock;
  /** Maximum frame rate. Skipped frames count as dropped. */
  maxFps?: number;
}

export interface TimedFrame {
  /** Closed when the next one is requested. Use `clone()` to keep it. */
  frame: VideoFrame | ImageBitmap;
  /** Milliseconds, strictly increasing. */
  timestamp: number;
  /** Milliseconds into the recording as stored in the file, even if that jumps back. NaN if there is no such time. */
  mediaTime: number;
  /** The clock of this session. If the browser does not report the requested time, another clock is used. */
  clock: Clock;
  /** Frames of the source between the last row and this one. */
  dropped: number;
  /** For a stack or an animation: notes on the file, including how many of its pages are frames. */
  file?: ImageFileNotes;
}

/** Number of bytes that identify a file's kind. */
const HEADER = 4096;
/** A larger file at a URL is not read as an image. */
const MOST_BYTES = 1 << 30;

const bad = (text: string) => new FoveolaError('invalid-argument', `frames: ${text}`);

function check(source: unknown, options: FramesOptions): void {
  const known =
    (typeof HTMLVideoElement !== 'undefined' && source instanceof HTMLVideoElement) ||
    (typeof MediaStream !== 'undefined' && source instanceof MediaStream) ||
    source instanceof Blob ||
    typeof source === 'string';
  if (!known) throw bad('the source must be a video element, MediaStream, File, Blob or address.');
  const { everyFrame, timestampSource, maxFps, signal } = options;
  if (signal !== undefined && !(signal instanceof AbortSignal)) throw bad('signal must be an AbortSignal.');
  if (timestampSource !== undefined && !clocks.includes(timestampSource))
    throw bad(`timestampSource must be 'capture', 'media' or 'arrival', not ${String(timestampSource)}.`);
  if (maxFps !== undefined && !(maxFps > 0)) throw bad(`maxFps must be above 0, not ${String(maxFps)}.`);
  if (everyFrame && typeof MediaStream !== 'undefined' && source instanceof MediaStream)
    throw bad('a MediaStream has no end. Omit everyFrame.');
}

/**
 * @throws {FoveolaError} immediately 'invalid-argument', in the loop also 'decode-failed', 'source-unsupported',
 * 'source-tainted', 'aborted'
 */
export function frames(source: FramesSource, options: FramesOptions = {}): AsyncIterable<TimedFrame> {
  check(source, options);
  return { [Symbol.asyncIterator]: () => timed(source, options) };
}

/** The file at a URL that is not a recording, if it is an image. Otherwise null, and the rest is not downloaded. */
async function imageAt(address: string, signal?: AbortSignal): Promise<Blob | null> {
  const reader = (await patientFetch(address, { signal })).body?.getReader();
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let [bytes, known] = [0, false];
  for (let step = await reader?.read(); step && !step.done; step = await reader!.read()) {
    parts.push(step.value);
    bytes += step.value.length;
    const begins = !known && bytes >= HEADER;
    if (begins) known = identify(await readHeader(new Blob(parts), HEADER)).kind === 'image';
    if (bytes <= MOST_BYTES && (known || !begins)) continue;
    await reader!.cancel();
    return null;
  }
  const file = new Blob(parts);
  return file.size && identify(await readHeader(file, HEADER)).kind === 'image' ? file : null;
}

async function* raw(source: FramesSource, options: FramesOptions): AsyncGenerator<RawFrame, void> {
  const { signal } = options;
  // Stacks and animations have no playback: each of their frames is read once, with or without `everyFrame`.
  const kind = source instanceof Blob && source.size > 0 ? identify(await readHeader(source, HEADER)).kind : null;
  if (kind === 'image') return yield* stackFrames(await imageJob(source as Blob), { signal });
  if (typeof source !== 'string') return yield* moving(source, options);
  let some = false;
  try {
    for await (const frame of moving(source, options)) {
      some = true;
      yield frame;
    }
  } catch (error) {
    const unread = error instanceof FoveolaError && ['source-unsupported', 'decode-failed'].includes(error.code);
    const file = some || !unread ? null : await imageAt(source, signal).catch(() => null);
    if (!file) throw error;
    yield* stackFrames(await imageJob(file), { signal });
  }
}

async function* moving(source: FramesSource, { signal, everyFrame }: FramesOptions): AsyncGenerator<RawFrame, void> {
  if (everyFrame) {
    yield* everyFrameOf(
      source instanceof HTMLVideoElement ? source.currentSrc || source.src : (source as Blob),
      signal,
    );
    return;
  }
  if (source instanceof HTMLVideoElement) return yield* presentedFrames(source, signal);
  const track = source instanceof MediaStream ? source.getVideoTracks()[0] : undefined;
  if (track && trackProcessor()) return yield* trackFrames(track, signal);
  const { video, close } = await openVideo(source, { signal });
  try {
    const running = presentedFrames(video, signal);
    const first = running.next(); // its callback is set before the first frame is shown
    first.catch(() => {});
    if (!video.srcObject) await showAgain(video);
    await video.play().catch((cause: DOMException) => {
      if (cause.name === 'NotAllowedError')
        throw new FoveolaError(
          'source-unsupported',
          'The browser does not play videos before a click. Ask the user to click first.',
          {
            cause,
          },
        );
    });
    for (let step = await first; !step.done; step = await running.next()) yield step.value;
  } finally {
    close();
  }
}

async function* timed(source: FramesSource, options: FramesOptions): AsyncGenerator<TimedFrame, void> {
  const { signal, timestampSource, maxFps } = options;
  if (signal?.aborted) throw abortedError(signal);
  const live =
    source instanceof MediaStream || (source instanceof HTMLVideoElement && source.srcObject instanceof MediaStream);
  const clock = new FrameClock(live, timestampSource);
  const throttle = new Throttle();
  let dropped = 0;
  for await (const item of raw(source, options)) {
    const { frame } = item;
    try {
      if ('displayWidth' in frame) checkDecoded(frame.displayWidth, frame.displayHeight);
      const stamp = clock.stamp(item);
      dropped += item.dropped;
      if (!throttle.takes(stamp.timestamp, maxFps ?? 0)) {
        dropped++;
        continue;
      }
      const row = { frame, ...stamp, dropped, ...(item.file && { file: item.file }) };
      dropped = 0;
      yield row;
      if (signal?.aborted) throw abortedError(signal);
    } finally {
      frame.close();
    }
  }
}
