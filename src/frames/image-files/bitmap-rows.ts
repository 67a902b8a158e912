/** The pixels of a bitmap, some rows at a time, with the thread given back in between. */
import { canvasBands } from '../canvas-pixels.ts';
import type { Pace } from './pace.ts';

/** Pixels that are drawn and read at once: some milliseconds. */
const BAND = 1 << 19;

/** `take` is given RGBA of the rows y0 up to y1; transparent pixels are black. The bitmap is closed. */
export async function bitmapRows(
  bitmap: ImageBitmap,
  pace: Pace,
  take: (rgba: Uint8ClampedArray, y0: number, y1: number) => void,
): Promise<void> {
  const { width, height } = bitmap;
  try {
    for (const { y, end, rgba } of canvasBands(bitmap, width, height, BAND)) {
      take(rgba, y, end);
      await pace.step(end / height);
    }
  } finally {
    bitmap.close();
  }
}

/** Tightly packed RGBA. */
export async function bitmapPixels(bitmap: ImageBitmap, pace: Pace): Promise<Uint8ClampedArray<ArrayBuffer>> {
  const { width, height } = bitmap;
  const pixels = new Uint8ClampedArray(4 * width * height);
  await bitmapRows(bitmap, pace, (rgba, y0) => pixels.set(rgba, 4 * width * y0));
  return pixels;
}
