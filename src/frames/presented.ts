/** Frames of a video element as they are presented, and of a track as they arrive. */
import { asFoveolaError, FoveolaError } from '../runtime/error.ts';

/** A frame with every time that its source knows, in milliseconds. Whoever receives it closes it. */
export interface RawFrame {
  frame: VideoFrame | ImageBitmap;
  capture?: number;
  media?: number;
  arrival: number;
  /** Frames that the source had since the last one and that were not taken. */
  dropped: number;
}

interface Presentation {
  now: number;
  presented: number | null;
  mediaTime: number;
  captureTime?: number;
}

export const abortedError = (signal: AbortSignal) =>
  new FoveolaError('aborted', 'Reading frames was cancelled.', { cause: signal.reason });

/** The next frame that the element presents; null when it ends. */
function nextPresentation(video: HTMLVideoElement, signal?: AbortSignal): Promise<Presentation | null> {
  return new Promise((resolve, reject) => {
    const listeners = new AbortController();
    let cancel = () => {};
    const end = (settle: () => void) => {
      listeners.abort();
      cancel();
      settle();
    };
    const options = { signal: listeners.signal };
    if (signal?.aborted) return reject(abortedError(signal));
    if (video.ended && !video.loop) return resolve(null);
    signal?.addEventListener('abort', () => end(() => reject(abortedError(signal))), options);
    video.addEventListener('ended', () => end(() => resolve(null)), options);
    video.addEventListener('emptied', () => end(() => resolve(null)), options);
    video.addEventListener(
      'error',
      () => end(() => reject(new FoveolaError('decode-failed', `The video broke off: ${video.error?.message ?? ''}`))),
      options,
    );
    if ('requestVideoFrameCallback' in video) {
      const handle = video.requestVideoFrameCallback((now, { presentedFrames, mediaTime, captureTime }) =>
        end(() => resolve({ now, presented: presentedFrames, mediaTime, captureTime })),
      );
      cancel = () => video.cancelVideoFrameCallback(handle);
    } else {
      // Without the callback the picture is looked at whenever the page draws.
      const element = video as HTMLVideoElement;
      const before = element.currentTime;
      let handle = requestAnimationFrame(function look(now) {
        if (element.currentTime === before || element.readyState < 2)
          return void (handle = requestAnimationFrame(look));
        const presented = element.getVideoPlaybackQuality?.().totalVideoFrames ?? null;
        end(() => resolve({ now, presented, mediaTime: element.currentTime }));
      });
      cancel = () => cancelAnimationFrame(handle);
    }
  });
}

async function grab(video: HTMLVideoElement, mediaTime: number): Promise<VideoFrame | ImageBitmap> {
  try {
    if (typeof VideoFrame === 'undefined') return await createImageBitmap(video);
    return new VideoFrame(video, { timestamp: Math.round(mediaTime * 1e6) });
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

/** Ends with the video. A paused video waits. */
export async function* presentedFrames(video: HTMLVideoElement, signal?: AbortSignal): AsyncGenerator<RawFrame, void> {
  let last: number | null = null;
  for (;;) {
    const presentation = await nextPresentation(video, signal);
    if (!presentation) return;
    const { now, presented, mediaTime, captureTime } = presentation;
    // After a change of the source the count starts again.
    const dropped = last === null || presented === null ? 0 : Math.max(0, presented - last - 1);
    last = presented;
    const frame = await grab(video, mediaTime);
    yield { frame, media: mediaTime * 1000, capture: captureTime, arrival: now, dropped };
  }
}

interface TrackProcessor {
  readable: ReadableStream<VideoFrame>;
}
type TrackProcessorClass = new (init: { track: MediaStreamTrack; maxBufferSize?: number }) => TrackProcessor;

/** MediaStreamTrackProcessor where the page has it: it also works in hidden pages. */
export const trackProcessor = (): TrackProcessorClass | undefined =>
  (globalThis as { MediaStreamTrackProcessor?: TrackProcessorClass }).MediaStreamTrackProcessor;

/** The newest frame of a track each time; those that came in between are closed and counted. */
export async function* trackFrames(track: MediaStreamTrack, signal?: AbortSignal): AsyncGenerator<RawFrame, void> {
  const reader = new (trackProcessor()!)({ track, maxBufferSize: 2 }).readable.getReader();
  let newest: RawFrame | null = null;
  let dropped = 0;
  let ended = false;
  let failed: unknown;
  let wake = () => {};
  const abort = () => wake();
  signal?.addEventListener('abort', abort);
  const pump = (async () => {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) break;
      if (newest) {
        newest.frame.close();
        dropped++;
      }
      const metadata = (value as { metadata?: () => { captureTime?: number } }).metadata?.();
      const media = value.timestamp / 1000;
      newest = { frame: value, media, capture: metadata?.captureTime, arrival: performance.now(), dropped: 0 };
      wake();
    }
  })().then(
    () => ((ended = true), wake()),
    (error) => ((failed = error), (ended = true), wake()),
  );
  try {
    for (;;) {
      if (signal?.aborted) throw abortedError(signal);
      const raw = newest as RawFrame | null;
      if (raw) {
        raw.dropped = dropped;
        newest = null;
        dropped = 0;
        yield raw;
      } else if (ended) {
        if (failed) throw asFoveolaError(failed, 'Reading the track');
        return;
      } else await new Promise<void>((resolve) => (wake = resolve));
    }
  } finally {
    signal?.removeEventListener('abort', abort);
    await reader.cancel().catch(() => {});
    await pump;
    (newest as RawFrame | null)?.frame.close();
  }
}
