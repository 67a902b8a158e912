/** Frames of a recording in a file: each once, in order, with its own time. */
import { missingOf } from '../frames/cut-off.ts';
import { identify, readHeader } from '../frames/blob-header.ts';
import { FrameClock } from '../frames/clock.ts';
import type { Clock } from '../results/export-pupil.ts';
import type { ImageFileNotes } from '../results/types.ts';
import { asFoveolaError, FoveolaError } from '../runtime/error.ts';
import { DecodedFrame } from './decoded-frame.ts';
import { blobOf, pathOf } from './files.ts';
import { openRecording } from './recording-decoder.ts';
import { stackFrames } from './stack.ts';
import type { Recording } from './recording.ts';

export interface FileFramesOptions {
  /** Ends the reading: the loop throws 'aborted'. To end it without an error, `break`. */
  signal?: AbortSignal;
  /** Which decoder; default the first that is installed. */
  decoder?: Recording['decoder'];
}

export interface DecodedTimedFrame {
  /** A source for every engine call; closed when the next one is asked for, `clone()` it to keep it. */
  frame: DecodedFrame;
  /** Milliseconds, strictly growing. */
  timestamp: number;
  /** Milliseconds into the recording as the file has it, also where that goes back. */
  mediaTime: number;
  clock: Clock;
  /** Pages of a stack before this one that are not frames; otherwise 0. */
  dropped: number;
  /** Of a stack or an animation: what the file says of itself, with how many of its pages are frames. */
  file?: ImageFileNotes;
}

/**
 * @param source path or file: URL of a recording, a stack or an animation
 * @throws {FoveolaError} in the loop: 'invalid-argument' (no such file), 'source-unsupported' (no decoder is installed,
 * no picture, one picture alone, a codec that is not decoded), 'decode-failed' (no recording; also after the last good frame where it is cut
 * off or damaged: `partial` is `{ frames, mediaTime }`), 'aborted'
 */
export async function* frames(
  source: string | URL,
  { signal, decoder }: FileFramesOptions = {},
): AsyncGenerator<DecodedTimedFrame, void> {
  const path = pathOf(source, 'frames');
  const blob = await blobOf(path);
  // Pages and frames of image files are read by the readers of images.
  if (identify(await readHeader(blob, 4096)).kind === 'image') return yield* stackFrames(blob, signal);
  let count = 0;
  let mediaTime = NaN;
  let recording: Recording | null = null;
  try {
    recording = await openRecording(path, decoder);
    const clock = new FrameClock(false, 'media');
    for await (const picture of recording.pictures()) {
      const frame = new DecodedFrame(picture);
      try {
        if (signal?.aborted) throw new FoveolaError('aborted', 'The reading was cancelled.', { cause: signal.reason });
        mediaTime = picture.timestamp / 1000;
        const stamp = clock.stamp({ media: mediaTime, arrival: performance.now() });
        count++;
        yield { frame, ...stamp, dropped: 0 };
      } finally {
        frame.close();
      }
    }
    const missing = await missingOf(blob);
    if (missing) throw new FoveolaError('decode-failed', `The recording breaks off: ${missing}`);
  } catch (cause) {
    const error = asFoveolaError(cause, 'Reading the recording');
    if (error.code !== 'decode-failed' || !count) throw error;
    throw new FoveolaError(
      'decode-failed',
      `${error.message} It was read up to ${count} frames, ${(mediaTime / 1000).toFixed(3)} s.`,
      {
        cause,
        partial: { frames: count, mediaTime },
      },
    );
  } finally {
    recording?.close();
  }
}
