/** Frames of a recording in a file: each once, in order, with its own time. */
import { imageJob, identify, readHeader } from '../frames/blob-header.ts';
import { FrameClock } from '../frames/clock.ts';
import type { ReadPage } from '../frames/image-files/read.ts';
import { FoveolaError, asFoveolaError } from '../runtime/error.ts';
import { DecodedFrame, type DecodedTimedFrame, type Recording } from './decoded-frame.ts';
import { inNode, blobOf, pathOf } from './image.ts';
import { missingOf, paged, containerOf, isBrowsers } from '../frames/containers.ts';
import { type Edit, presentedTimes, movieEdits } from '../frames/presentation.ts';
import { nextTask } from '../runtime/engine/queue.ts';
import { type UsedBits, usedBits } from './pixel-formats.ts';
import { openRecording } from './recording-decoder.ts';

// Converts the frames of a stack or an animation to frames of a recording.

function frameOf({ image, time }: ReadPage): DecodedFrame {
  const { width, height, data } = image;
  const gray = data.length === width * height;
  const samples = new Uint8Array(data.buffer, data.byteOffset, data.length);
  return new DecodedFrame({
    ...{ format: gray ? 'I420' : 'RGBA', width, height, bits: 8, fullRange: true },
    planes: [{ data: samples, stride: (gray ? 1 : 4) * width }],
    timestamp: Math.round(1000 * time),
    release: () => {},
  });
}

/**
 * @throws {FoveolaError} in the loop: 'source-unsupported' for a file with one image, 'decode-failed' (`partial` like
 * for recordings), 'image-too-large', 'aborted'
 */
async function* stackFrames(blob: Blob, signal?: AbortSignal): AsyncGenerator<DecodedTimedFrame, void> {
  const { file, header } = await imageJob(blob);
  const { readPages } = await import('../frames/image-files/page.ts');
  const clock = new FrameClock(false, 'media');
  let frames = 0;
  let mediaTime = NaN;
  try {
    for await (const page of readPages({ file, header }, inNode({ signal }))) {
      const frame = frameOf(page);
      try {
        mediaTime = page.time;
        frames++;
        const stamp = clock.stamp({ media: mediaTime, arrival: performance.now() });
        yield { frame, ...stamp, dropped: page.skipped, file: page.file, notes: page.file?.notes ?? [] };
      } finally {
        frame.close();
      }
    }
  } catch (error) {
    if (!(error instanceof FoveolaError) || error.code !== 'decode-failed') throw error;
    throw new FoveolaError('decode-failed', error.message, { cause: error, partial: { frames, mediaTime } });
  }
}

export type { DecodedTimedFrame };

export interface FileFramesOptions {
  /** Ends the reading: the loop throws 'aborted'. To end it without an error, use `break`. */
  signal?: AbortSignal;
  /** The decoder. Default: the first that is installed. */
  decoder?: Recording['decoder'];
}

function checkAborted(signal?: AbortSignal): void {
  if (signal?.aborted) throw new FoveolaError('aborted', 'The reading was cancelled.', { cause: signal.reason });
}

/** The edits of a recording with several parts, because FFmpeg mixes up their times. Null for other recordings. */
async function partsOf(blob: Blob, container: string): Promise<Edit[] | null> {
  if (!/MP4|QuickTime/.test(container)) return null;
  const edits = await movieEdits(paged(blob));
  return edits.filter(({ from }) => from !== null).length > 1 ? edits : null;
}

/** Reads the whole recording once more. */
async function usedBitsOf(path: string, decoder?: Recording['decoder'], signal?: AbortSignal): Promise<UsedBits> {
  const recording = await openRecording(path, decoder);
  async function* pictures() {
    for await (const picture of recording.pictures()) {
      await nextTask();
      checkAborted(signal);
      yield picture;
    }
  }
  try {
    return await usedBits(pictures());
  } finally {
    recording.close();
  }
}

/**
 * Milliseconds into the recording of each frame, in order. Broadcast containers begin at any time and count from their
 * first frame, like in players. A frame without a time gets the interval between the two previous frames, or the
 * stream's rate.
 * @param ownTimes whether the times of the container are the times of the recording
 */
function mediaTimes({ interval }: Recording, ownTimes: boolean): (timestamp: number) => number {
  let start = NaN;
  let step = interval;
  let last = -interval;
  return (timestamp) => {
    const next = last + step;
    if (Number.isNaN(start) && !Number.isNaN(timestamp)) start = ownTimes ? 0 : timestamp / 1000 - next;
    const time = Number.isNaN(timestamp) ? next : timestamp / 1000 - start;
    if (time > last && last >= 0) step = time - last;
    last = time;
    return Math.round(1000 * time) / 1000;
  };
}

/**
 * @param source path or file: URL of a recording, a stack or an animation
 * @throws {FoveolaError} in the loop: 'invalid-argument' (the file does not exist), 'source-unsupported' (no decoder is
 * installed, no video track, only one image, an unsupported codec), 'decode-failed' (not a recording, or after the last
 * good frame if it is truncated or damaged: `partial` is `{ frames, mediaTime }`), 'aborted'
 */
export async function* frames(
  source: string | URL,
  { signal, decoder }: FileFramesOptions = {},
): AsyncGenerator<DecodedTimedFrame, void> {
  const path = pathOf(source, 'frames');
  const blob = await blobOf(path);
  const header = await readHeader(blob, 4096);
  // The image readers read pages and frames of image files.
  if (identify(header).kind === 'image') return yield* stackFrames(blob, signal);
  const container = containerOf(header) ?? '';
  let count = 0;
  let mediaTime = NaN;
  let recording: Recording | null = null;
  try {
    const parts = await partsOf(blob, container);
    recording = await openRecording(path, decoder, { asStored: parts !== null });
    const shownAt = presentedTimes(parts ?? []);
    const used = recording.deep ? await usedBitsOf(path, decoder, signal) : null;
    const notes = used?.note ? [used.note] : [];
    const clock = new FrameClock(false, 'media');
    const timeOf = mediaTimes(recording, isBrowsers(container));
    for await (const picture of recording.pictures()) {
      const frame = new DecodedFrame(used ? { ...picture, levels: used.levels } : picture);
      try {
        checkAborted(signal);
        const time = shownAt(timeOf(picture.timestamp) / 1000);
        if (time === null) continue;
        mediaTime = Math.round(1e6 * time) / 1000;
        const stamp = clock.stamp({ media: mediaTime, arrival: performance.now() });
        count++;
        yield { frame, ...stamp, dropped: 0, notes };
      } finally {
        frame.close();
      }
    }
    const missing = await missingOf(blob);
    if (missing) throw new FoveolaError('decode-failed', `The recording ends early: ${missing}`);
  } catch (cause) {
    const error = asFoveolaError(cause, 'Reading the recording');
    if (error.code !== 'decode-failed') throw error;
    // For a truncated file, the decoder reports only that the file or a frame is damaged.
    const missing = await missingOf(blob);
    if (!count && !missing) throw error;
    const message = missing ? `The recording ends early: ${missing}` : error.message.replace(/[.\s]*$/, '.');
    throw new FoveolaError(
      'decode-failed',
      count ? `${message} It was read up to ${count} frames, ${(mediaTime / 1000).toFixed(3)} s.` : message,
      {
        cause,
        partial: { frames: count, mediaTime },
      },
    );
  } finally {
    recording?.close();
  }
}
