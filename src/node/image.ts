/**
 * Photographs in files. TIFF, DICOM and PNG of 16 bits are read by the project's own readers (frames/image-files), BMP by what
 * decodes recordings, all others by sharp, whose JPEG decoder is that of the browsers (libjpeg-turbo): without color management,
 * turned as EXIF says.
 */
import { checkBlob, describeBytes, isForReader, notDecoded, readHeader } from '../frames/blob-header.ts';
import { readFile } from '../frames/image-files.ts';
import type { ReadOptions } from '../frames/image-files/pace.ts';
import { rgbaImage } from '../frames/rgba-image.ts';
import { checkSize } from '../frames/size.ts';
import { notesOf } from '../frames/to-packet.ts';
import type { ImageFile } from '../results/types.ts';
import { asFoveolaError, FoveolaError } from '../runtime/error.ts';
import { bmpPixels } from './bmp.ts';
import { blobOf, pathOf } from './files.ts';

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
    if (!isForReader(header)) return await decoded(blob, options);
    const file = await readFile({ file: blob, header }, { ...options, jpeg: decodedJpeg }); // on this thread: Node has no page
    const { image, ...notes } = file;
    notesOf.set(image, notes);
    return file;
  } catch (error) {
    throw asFoveolaError(error, 'readImage');
  }
}

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

async function decoded(blob: Blob, { signal }: ReadOptions): Promise<ImageFile> {
  const format = describeBytes(await readHeader(blob)).replace(/^an? | image$/g, '');
  const image = await pixelsOf(new Uint8Array(await blob.arrayBuffer()), format);
  if (signal?.aborted) throw new FoveolaError('aborted', 'Reading the file was cancelled.', { cause: signal.reason });
  return { format, bits: 8, spacing: null, notes: [], image };
}

/** A JPEG inside of another file, whose own orientation counts. */
const decodedJpeg = (bytes: Uint8Array) => pixelsOf(bytes, 'JPEG image', false);

/** RGBA as a page has it: color that is entirely transparent is black. `turn`: as EXIF says. */
async function pixelsOf(bytes: Uint8Array, what: string, turn = true): Promise<ImageData> {
  if (what === 'BMP') return hideTransparent(await decoding(what, bmpPixels(bytes)));
  const open = await loadSharp();
  if (!open)
    throw new FoveolaError(
      'source-unsupported',
      `${named(what, 'A')} needs a decoder: \`npm install sharp\`. TIFF, DICOM and 16-bit PNG are read without it.`,
    );
  return hideTransparent(await decoding(what, sharpPixels(open, bytes, turn)));
}

async function sharpPixels(open: Sharp, bytes: Uint8Array, turn: boolean): Promise<ImageData> {
  const input = open(bytes, { ignoreIcc: true, limitInputPixels: 1 << 27 });
  const oriented = turn ? input.autoOrient() : input;
  const { data, info } = await oriented
    .toColorspace('srgb')
    .ensureAlpha()
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true });
  checkSize(info.width, info.height);
  return rgbaImage(info.width, info.height, new Uint8ClampedArray(data.buffer, data.byteOffset, data.length));
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
    throw notDecoded(named(what), cause);
  }
}
