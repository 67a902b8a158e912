/** Limits of the size of an image; asked before memory is taken for it. */
import { FoveolaError } from '../runtime/error.ts';

export const MAXIMUM_SIDE = 16384;
export const MAXIMUM_PIXELS = 1 << 27;
/** Of a file that is decoded into four bytes a pixel: 192 MiB. */
export const MAXIMUM_COLOR_PIXELS = 48 << 20;

/** Throws 'image-too-large' or, for sides that are no sizes, 'source-not-ready' or 'invalid-argument'. */
export function checkSize(width: number, height: number, empty?: string): void {
  if (empty && (width === 0 || height === 0))
    throw new FoveolaError('source-not-ready', `The ${empty} (${width}x${height}).`);
  if (!(Number.isInteger(width) && Number.isInteger(height) && width >= 1 && height >= 1))
    throw new FoveolaError('invalid-argument', `An image needs whole sides of at least 1, not ${width}x${height}.`);
  if (width > MAXIMUM_SIDE || height > MAXIMUM_SIDE || width * height > MAXIMUM_PIXELS)
    throw tooLarge(width, height, MAXIMUM_PIXELS, 'in all are taken');
}

/** The same for an image file that becomes four bytes a pixel. */
export function checkDecoded(width: number, height: number): void {
  if (width < 1 || height < 1)
    throw new FoveolaError('decode-failed', `The image file is damaged: its picture has ${width}x${height} pixels.`);
  checkSize(width, height);
  if (width * height > MAXIMUM_COLOR_PIXELS)
    throw tooLarge(width, height, MAXIMUM_COLOR_PIXELS, 'in all are read of a file that is decoded in color');
}

const tooLarge = (width: number, height: number, most: number, what: string) =>
  new FoveolaError(
    'image-too-large',
    `The image has ${width}x${height} pixels; at most ${MAXIMUM_SIDE} a side and ${most / (1 << 20)} Mi ${what}. Scale it down first.`,
  );
