/** Frames of a track as they arrive, where the page has MediaStreamTrackProcessor: it also works in hidden pages. */
import { asFoveolaError } from '../runtime/error.ts';
import type { FrameTimes } from './clock.ts';
import { type Counts, Newest } from './newest.ts';
import { abortedError, type RawFrame } from './presented.ts';

interface TrackProcessor {
  readable: ReadableStream<VideoFrame>;
}
type TrackProcessorClass = new (init: { track: MediaStreamTrack; maxBufferSize?: number }) => TrackProcessor;

/** Undefined where the page has none. */
export const trackProcessor = (): TrackProcessorClass | undefined =>
  (globalThis as { MediaStreamTrackProcessor?: TrackProcessorClass }).MediaStreamTrackProcessor;

/** The newest frame of a track each time; those that came in between are closed and counted. */
export async function* trackFrames(track: MediaStreamTrack, signal?: AbortSignal): AsyncGenerator<RawFrame, void> {
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
