/** Orientation as in EXIF and TIFF (1..8), applied to the pixels. */
import type { GrayImage } from '../../results/types.ts';
import { rgbaImage } from '../rgba-image.ts';
import type { Pace } from './pace.ts';

/** x, y of the source for x, y of the result, with the source's last column and row: EXIF 2.32, table of tag 274. */
const places: Readonly<Record<number, (x: number, y: number, right: number, bottom: number) => [number, number]>> = {
  2: (x, y, right) => [right - x, y],
  3: (x, y, right, bottom) => [right - x, bottom - y],
  4: (x, y, _, bottom) => [x, bottom - y],
  5: (x, y) => [y, x],
  6: (x, y, _, bottom) => [y, bottom - x],
  7: (x, y, right, bottom) => [right - y, bottom - x],
  8: (x, y, right) => [right - y, x],
};

/** An invalid orientation leaves the image unchanged. */
export async function oriented<T extends GrayImage | ImageData>(image: T, orientation: number, pace: Pace): Promise<T> {
  const place = places[orientation];
  if (!place) return image;
  const { width: w, height: h, data } = image;
  const [width, height] = orientation > 4 ? [h, w] : [w, h];
  const wide = data.length > w * h; // four bytes per pixel
  const from = wide ? new Uint32Array(data.buffer, data.byteOffset, w * h) : data;
  const to = wide ? new Uint32Array(w * h) : new Uint8Array(w * h);
  const index = (x: number, y: number) => {
    const [sx, sy] = place(x, y, w - 1, h - 1);
    return sy * w + sx;
  };
  const start = index(0, 0);
  const stepX = index(1, 0) - start;
  const stepY = index(0, 1) - start;
  const turn = (y0: number, y1: number) => {
    for (let y = y0, i = y0 * width; y < y1; y++)
      for (let x = 0; x < width; x++) to[i++] = from[start + x * stepX + y * stepY]!;
  };
  await pace.rows({ width, height }, turn, [0.95, 1]);
  return (wide ? rgbaImage(width, height, new Uint8ClampedArray(to.buffer)) : { width, height, data: to }) as T;
}

/** Orientation in an EXIF block (a small TIFF, without the 'Exif\0\0' before it). 1 if there is none. */
export function exifOrientation(bytes: Uint8Array): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < 14) return 1;
  const little = view.getUint16(0) === 0x4949;
  const start = view.getUint32(4, little);
  if (start + 2 > bytes.length) return 1;
  const count = view.getUint16(start, little);
  for (let at = start + 2, i = 0; i < count && at + 12 <= bytes.length; at += 12, i++)
    if (view.getUint16(at, little) === 274) return view.getUint16(at + 8, little);
  return 1;
}
