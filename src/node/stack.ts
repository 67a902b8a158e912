/** The frames of a stack or an animation, as those of a recording. */
import { imageJob } from '../frames/blob-header.ts';
import type { ImageFileNotes } from '../results/types.ts';
import type { Picture } from './decoded-frame.ts';
import { inNode } from './image.ts';

/** A frame, and what the file says of itself. */
export interface StackPicture extends Picture {
  readonly file: ImageFileNotes;
  /** Pages of the file before it that are not frames. */
  readonly skipped: number;
}

export interface Stack {
  pictures(): AsyncIterable<StackPicture>;
  close(): void;
}

/** @throws {FoveolaError} (rejects) 'source-unsupported' where it is one picture, 'decode-failed', 'image-too-large' */
export async function openStack(blob: Blob, signal?: AbortSignal): Promise<Stack> {
  const { file, header } = await imageJob(blob);
  const { readPages } = await import('../frames/image-files/page.ts');
  return {
    async *pictures() {
      for await (const page of readPages({ file, header }, inNode({ signal }))) {
        const { width, height, data } = page.image;
        const gray = data.length === width * height;
        const samples = new Uint8Array(data.buffer, data.byteOffset, data.length);
        yield {
          ...{ format: gray ? 'I420' : 'RGBA', width, height, bits: 8, fullRange: true },
          planes: [{ data: samples, stride: (gray ? 1 : 4) * width }],
          timestamp: Math.round(1000 * page.time),
          release: () => {},
          ...{ file: page.file, skipped: page.skipped },
        };
      }
    },
    close: () => {},
  };
}
