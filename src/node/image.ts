/**
 * Photographs in files. What the project's own readers know (frames/image-files) is read by them, BMP by what decodes
 * recordings, all others by sharp, whose JPEG decoder is that of the browsers (libjpeg-turbo): without color management,
 * turned as EXIF says.
 */
import { checkBlob, describeBytes, isForReader, isJpeg, notDecoded } from '../frames/blob-header.ts';
import { readFile } from '../frames/image-files.ts';
import type { ReadOptions } from '../frames/image-files/pace.ts';
import { rgbaImage } from '../frames/rgba-image.ts';
import { checkSize } from '../frames/size.ts';
import { notesOf } from '../frames/to-packet.ts';
import type { ImageFile } from '../results/types.ts';
import { asFoveolaError, FoveolaError } from '../runtime/error.ts';
import { bmpPixels } from './bmp.ts';
import { codec } from './codecs.ts';
import { blobOf, pathOf } from './files.ts';
import { cmykPixels, endsWell, isCmyk } from './jpeg.ts';

/**
 * Pixels, scale and notes of an image file, as `readImage` gives them in a page.
 * @param source path, file: URL, bytes or Blob
 * @throws {FoveolaError} (rejects) 'invalid-argument' (no such file), 'source-unsupported', 'decode-failed',
 * 'image-too-large', 'out-of-memory', 'aborted'
 */
export async function readImage(
  source: string | URL | Uint8Array | Blob,
  options: ReadOptions = {},
): Promise<ImageFile> {
  try {
    const blob = await asBlob(source);
    const header = await checkBlob(blob);
    const file = (await decoded(blob, header, options)) ?? (await readFile({ file: blob, header }, inNode(options)));
    const { image, ...notes } = file;
    notesOf.set(image, notes);
    return file;
  } catch (error) {
    throw asFoveolaError(error, 'readImage');
  }
}

/** What the readers take in the place of a browser. On this thread: Node has no page. */
export const inNode = (options: ReadOptions): ReadOptions => ({ ...options, decode: decodedPicture, codec });

function asBlob(source: string | URL | Uint8Array | Blob): Promise<Blob> | Blob {
  if (source instanceof Blob) return source;
  if (source instanceof Uint8Array) return new Blob([source as Uint8Array<ArrayBuffer>]);
  return blobOf(pathOf(source, 'readImage'));
}

type Sharp = (typeof import('sharp'))['default'];
let sharp: Promise<Sharp | null> | null = null;

const loadSharp = () =>
  (sharp ??= import('sharp').then(
    (module) => module.default,
    () => null,
  ));

/** Null where it is for the readers: also a JPEG without its end marker, as in a page. */
async function decoded(blob: Blob, header: Uint8Array, { signal }: ReadOptions): Promise<ImageFile | null> {
  if (isForReader(header)) return null;
  const format = describeBytes(header).replace(/^an? | image$/g, '');
  const bytes = new Uint8Array(await blob.arrayBuffer());
  if (isJpeg(header) && !endsWell(bytes)) return null;
  const image = await pixelsOf(bytes, format);
  if (signal?.aborted) throw new FoveolaError('aborted', 'Reading the file was cancelled.', { cause: signal.reason });
  return { ...{ format, bits: 8, spacing: null, notes: [], pages: 1, frames: 1 }, image };
}

/** A picture inside of another file, whose own orientation counts. */
const decodedPicture = (bytes: Uint8Array) => pixelsOf(bytes, describeBytes(bytes).replace(/^an? /, ''), false);

/** RGBA as a page has it: color that is entirely transparent is black. `turn`: as EXIF says. */
async function pixelsOf(bytes: Uint8Array, what: string, turn = true): Promise<ImageData> {
  if (what === 'BMP') return hideTransparent(await decoding(what, bmpPixels(bytes)));
  const open = await loadSharp();
  if (!open)
    throw new FoveolaError(
      'source-unsupported',
      `${named(what, 'A')} needs a decoder: \`npm install sharp\`. TIFF, DICOM, Netpbm and 16-bit PNG are read without it.`,
    );
  return hideTransparent(await decoding(what, sharpPixels(open, bytes, turn)));
}

async function sharpPixels(open: Sharp, bytes: Uint8Array, turn: boolean): Promise<ImageData> {
  const input = open(bytes, { ignoreIcc: true, limitInputPixels: 1 << 27 });
  const oriented = turn ? input.autoOrient() : input;
  const cmyk = isCmyk(bytes);
  const { data, info } = await (
    cmyk ? oriented.pipelineColorspace('cmyk').toColorspace('cmyk') : oriented.toColorspace('srgb').ensureAlpha()
  )
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true });
  const { width, height } = info;
  checkSize(width, height);
  const samples = new Uint8ClampedArray(data.buffer, data.byteOffset, data.length);
  return rgbaImage(width, height, cmyk ? cmykPixels(samples) : samples);
}

function hideTransparent(image: ImageData): ImageData {
  const { data } = image;
  for (let i = 3; i < data.length; i += 4) if (data[i] === 0) data.fill(0, i - 3, i);
  return image;
}

const named = (what: string, a = 'a') => `${a}${/^[aeiou]/.test(what) ? 'n' : ''} ${what}`;

async function decoding(what: string, work: Promise<ImageData>): Promise<ImageData> {
  try {
    return await work;
  } catch (cause) {
    if (cause instanceof FoveolaError && cause.code !== 'decode-failed') throw cause;
    throw notDecoded(named(what.endsWith('image') ? what : `${what} image`), cause);
  }
}
