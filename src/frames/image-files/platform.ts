/**
 * Images that browsers decode, embedded in other files or split from them. They are decoded in their stored
 * orientation.
 */
import { canvasBands, decodeBitmap } from '../canvas-pixels.ts';
import { type Pace, waitingFor } from './pace.ts';
import { FoveolaError } from '../../runtime/error.ts';
import { checkDecoded } from '../size.ts';
import { unsupported } from './faults.ts';

// The pixels of a bitmap, some rows at a time. The thread is yielded in between.

/** Pixels that are drawn and read at once: some milliseconds. */
const BAND = 1 << 19;

/** `take` receives RGBA of the rows y0 up to y1. Transparent pixels are black. The bitmap is closed. */
async function bitmapRows(
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

export interface PlatformPicture {
  bytes: Uint8Array;
  /** Size declared in its header. If a decoder returns another size, it has misread the file. */
  width: number;
  height: number;
  type: 'image/jpeg' | 'image/png' | 'image/gif' | 'image/webp';
  /** The error if it cannot be decoded. */
  broken: () => FoveolaError;
}

/** RGBA, some rows at a time. Transparent pixels are black. */
export async function platformRows(
  { bytes, width, height, type, broken }: PlatformPicture,
  pace: Pace,
  take: (rgba: Uint8ClampedArray, y0: number, y1: number) => void,
): Promise<void> {
  checkDecoded(width, height);
  if (pace.decode) {
    const image = await pace.decode(bytes);
    if (image.width !== width || image.height !== height) throw broken();
    return take(image.data, 0, height);
  }
  if (typeof createImageBitmap === 'undefined')
    throw unsupported(`The file contains ${type.slice(6).toUpperCase()}, and no decoder is available.`);
  const asStored: ImageBitmapOptions = {
    colorSpaceConversion: 'none',
    premultiplyAlpha: 'none',
    imageOrientation: 'none' as ImageOrientation, // the container's orientation applies
  };
  const file = new Blob([bytes as Uint8Array<ArrayBuffer>], { type });
  const bitmap = await waitingFor(decodeBitmap(file, asStored, pace.signal)).catch((error: unknown) => {
    throw error instanceof FoveolaError ? error : broken();
  });
  if (bitmap.width !== width || bitmap.height !== height) {
    bitmap.close();
    throw broken();
  }
  await bitmapRows(bitmap, pace, take);
}

/** RGBA in one piece. */
export async function platformPixels(picture: PlatformPicture, pace: Pace): Promise<Uint8ClampedArray<ArrayBuffer>> {
  const pixels = new Uint8ClampedArray(4 * picture.width * picture.height);
  await platformRows(picture, pace, (rgba, y0, y1) =>
    pixels.set(rgba.subarray(0, 4 * picture.width * (y1 - y0)), 4 * picture.width * y0),
  );
  return pixels;
}
