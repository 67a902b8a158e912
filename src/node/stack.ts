/** The frames of a stack or an animation, as those of a recording. */
import { imageJob } from '../frames/blob-header.ts';
import { FrameClock } from '../frames/clock.ts';
import type { ReadPage } from '../frames/image-files/read.ts';
import { FoveolaError } from '../runtime/error.ts';
import { DecodedFrame, type DecodedTimedFrame } from './decoded-frame.ts';
import { inNode } from './image.ts';

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
 * @throws {FoveolaError} in the loop: 'source-unsupported' where it is one picture, 'decode-failed' (`partial` as of recordings),
 * 'image-too-large', 'aborted'
 */
export async function* stackFrames(blob: Blob, signal?: AbortSignal): AsyncGenerator<DecodedTimedFrame, void> {
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
