/** Images by their size: limits that are checked before memory is allocated, and the ImageData of the result. */
import { FoveolaError } from '../runtime/error.ts';

/** An ImageData if the platform has the class, otherwise (Node) an object with its shape. */
export const rgbaImage = (width: number, height: number, data: Uint8ClampedArray): ImageData =>
  typeof ImageData === 'undefined'
    ? ({ width, height, data, colorSpace: 'srgb' } as ImageData)
    : new ImageData(data as Uint8ClampedArray<ArrayBuffer>, width, height);

export const MAXIMUM_SIDE = 16384;
export const MAXIMUM_PIXELS = 1 << 27;
/**
 * Limit for a file that is decoded to four bytes per pixel: 144 MiB, which exist three times on the way to the engine.
 */
export const MAXIMUM_COLOR_PIXELS = 36 << 20;

/** Throws 'image-too-large' or, for an invalid width or height, 'source-not-ready' or 'invalid-argument'. */
export function checkSize(width: number, height: number, empty?: string, most = MAXIMUM_PIXELS): void {
  if (empty && (width === 0 || height === 0))
    throw new FoveolaError('source-not-ready', `The ${empty} (${width}x${height}).`);
  if (!(Number.isInteger(width) && Number.isInteger(height) && width >= 1 && height >= 1))
    throw new FoveolaError(
      'invalid-argument',
      `Image width and height must be whole numbers above 0, not ${String(width)}x${String(height)}.`,
    );
  if (width > MAXIMUM_SIDE || height > MAXIMUM_SIDE || width * height > most)
    throw new FoveolaError(
      'image-too-large',
      `The image has ${width}x${height} pixels. The maximum is ${MAXIMUM_SIDE} per side and ${most >> 20} Mi in total. Scale it down first.`,
    );
}

/** Checks an image file or a frame of a recording, which is converted to four bytes per pixel. */
export const checkDecoded = (width: number, height: number, empty?: string): void =>
  checkSize(width, height, empty, MAXIMUM_COLOR_PIXELS);
