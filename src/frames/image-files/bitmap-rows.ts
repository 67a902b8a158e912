/** The pixels of a bitmap, some rows at a time: a canvas of its whole size would be as large again. */
import { FoveolaError } from '../../runtime/error.ts';
import type { Pace } from './pace.ts';

/** Pixels that are drawn and read at once. */
const BAND = 1 << 19;

type Context = CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D;

function contextOf(width: number, height: number): Context {
  const canvas =
    typeof OffscreenCanvas === 'undefined'
      ? Object.assign(document.createElement('canvas'), { width, height })
      : new OffscreenCanvas(width, height);
  const context = canvas.getContext('2d', { willReadFrequently: true }) as Context | null;
  if (!context)
    throw new FoveolaError('out-of-memory', 'The browser has no canvas to read this picture with; close other tabs.');
  return context;
}

/** `take` is given RGBA of the rows y0 up to y1; transparent pixels are black. The bitmap is closed. */
export async function bitmapRows(
  bitmap: ImageBitmap,
  pace: Pace,
  take: (rgba: Uint8ClampedArray, y0: number, y1: number) => void,
): Promise<void> {
  try {
    const { width, height } = bitmap;
    const rows = Math.max(1, Math.min(height, Math.floor(BAND / width)));
    const context = contextOf(width, rows);
    for (let y = 0; y < height; y += rows) {
      const count = Math.min(rows, height - y);
      context.clearRect(0, 0, width, rows);
      context.drawImage(bitmap, 0, y, width, count, 0, 0, width, count);
      take(context.getImageData(0, 0, width, count).data, y, y + count);
      await pace.step(y / height);
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
