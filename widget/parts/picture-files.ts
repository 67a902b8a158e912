/** Reads masks from image files and the displayed pixels, and encodes PNG. */
import { FoveolaError, readImage, type GrayImage } from '../../src/index.ts';
import type { Feed } from './feed.ts';

/** Image types for file pickers. DICOM files often do not have a type, and TIFF files lack one on some systems. */
export const imageFiles = 'image/*,application/dicom,.dcm,.tif,.tiff,.pgm,.ppm,.pbm,.pnm,.pam';

/** Reads an image as a mask: bright opaque pixels will be filled. */
export async function readMask(file: Blob): Promise<GrayImage> {
  const { width, height, data } = (await readImage(file)).image;
  const mask = new Uint8Array(width * height);
  if (data.length === mask.length) mask.set(data.map((value) => (value > 127 ? 255 : 0)));
  else
    for (let i = 0; i < mask.length; i++) {
      const [r, g, b, a] = [data[4 * i]!, data[4 * i + 1]!, data[4 * i + 2]!, data[4 * i + 3]!];
      if (a > 127 && 0.299 * r + 0.587 * g + 0.114 * b > 127) mask[i] = 255;
    }
  return { width, height, data: mask };
}

export async function toPng(canvas: HTMLCanvasElement): Promise<Blob> {
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'));
  if (!blob) throw new FoveolaError('out-of-memory', 'The browser could not make a PNG of this size.');
  return blob;
}

/** The server must allow the page to read its image. */
export const notShared = (name: string, done: string, cause: unknown): FoveolaError =>
  new FoveolaError('source-tainted', `The server of ${name} does not share it. It can be shown but not ${done}.`, {
    cause,
  });

/** Returns the image that a source shows now. Throws 'source-tainted'. */
export function pictureOf({ element, width, height, name }: Feed): ImageData {
  const canvas = document.createElement('canvas');
  canvas.width = width;
  canvas.height = height;
  const context = canvas.getContext('2d', { willReadFrequently: true })!;
  context.drawImage(element, 0, 0, width, height);
  try {
    return context.getImageData(0, 0, width, height);
  } catch (cause) {
    throw notShared(name, 'filled or saved', cause);
  }
}
