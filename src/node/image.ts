/**
 * Reads images from files. The built-in readers (frames/image-files) read the formats that they support. The decoder
 * for recordings reads BMP. sharp reads all others. Its JPEG decoder is the one of the browsers (libjpeg-turbo). It is
 * used without color management, and rotates images according to EXIF.
 */
import { openAsBlob, existsSync } from 'node:fs';
import { stat, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { FoveolaError, asFoveolaError } from '../runtime/error.ts';
import { Worker } from 'node:worker_threads';
import type { Codec, CodecPicture, CodecRequest } from '../frames/image-files/codec.ts';
import { damaged } from '../frames/image-files/faults.ts';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { rgbaImage, checkSize } from '../frames/size.ts';
import type { Picture } from './decoded-frame.ts';
import { openRecording } from './recording-decoder.ts';
import { jpegHeader } from '../frames/image-files/jpeg.ts';
import { checkBlob, describeBytes, isForReader, isJpeg, notDecoded } from '../frames/blob-header.ts';
import { readFile } from '../frames/image-files.ts';
import type { ReadOptions } from '../frames/image-files/pace.ts';
import { notesOf } from '../frames/to-packet.ts';
import type { ImageFile } from '../results/types.ts';

/** Files by their path. */

/** Throws 'invalid-argument'. */
export function pathOf(source: unknown, caller: string): string {
  if (typeof source === 'string' && source !== '' && !/^[a-z]{2,}:\/\//i.test(source)) return source;
  const url = typeof source === 'string' || source instanceof URL ? String(source) : '';
  try {
    if (url.startsWith('file:')) return fileURLToPath(url);
  } catch (cause) {
    throw new FoveolaError('invalid-argument', `${caller}: ${url} is not the URL of a file.`, { cause });
  }
  throw new FoveolaError(
    'invalid-argument',
    `${caller}: needs the path or file: URL of a file, not ${String(source)}.`,
  );
}

/** The file as a Blob. Its bytes are read on request. @throws {FoveolaError} (rejects) 'invalid-argument' */
export async function blobOf(path: string): Promise<Blob> {
  try {
    const about = await stat(path);
    if (about.isFile()) return await openAsBlob(path);
  } catch (cause) {
    const { code = String(cause) } = cause as NodeJS.ErrnoException;
    throw new FoveolaError(
      'invalid-argument',
      `${path} cannot be read (${code}). Check the path and its permissions.`,
      { cause },
    );
  }
  throw new FoveolaError('invalid-argument', `${path} is not a file.`);
}

// JPEG-LS and JPEG 2000 in Node: decoded in a thread, because a damaged file may keep the decoder busy forever. The
// thread is then ended.

/** Time limit per image in milliseconds, like for a browser's decoder. */
const MOST = 20_000;
/** A thread without work ends after this many milliseconds. */
const IDLE = 5000;

type Answer = { picture: CodecPicture } | { error: string };

/** A thread without work, and the function that ends it. */
let idle: { worker: Worker; timer: NodeJS.Timeout; end: () => void } | null = null;

function take(script: string): Worker {
  if (!idle) return new Worker(script, { name: 'foveola codecs' });
  const { worker, timer, end } = idle;
  clearTimeout(timer);
  idle = null;
  worker.off('error', end); // not removeAllListeners(), after which a Node worker no longer receives messages
  worker.ref();
  return worker;
}

function keep(worker: Worker): void {
  worker.unref();
  if (idle) return void worker.terminate();
  const end = () => {
    idle = null;
    void worker.terminate();
  };
  idle = { worker, end, timer: setTimeout(end, IDLE).unref() };
  worker.once('error', end);
}

function decodeIn(script: string, request: CodecRequest): Promise<CodecPicture> {
  const worker = take(script);
  return new Promise((resolve, reject) => {
    const fail = (why: string) => {
      leave();
      void worker.terminate();
      reject(damaged(`The ${request.codec} in the file ${why}.`));
    };
    const onError = ({ message }: Error) => fail(`cannot be decoded (${message})`);
    const onAnswer = (answer: Answer) => {
      leave();
      keep(worker);
      if ('picture' in answer) resolve(answer.picture);
      else reject(damaged(`The ${request.codec} in the file cannot be decoded (${answer.error}).`));
    };
    const timer = setTimeout(() => fail(`took over ${MOST / 1000} s to decode and was stopped`), MOST);
    const leave = () => {
      clearTimeout(timer);
      worker.off('error', onError).off('message', onAnswer);
    };
    worker.on('error', onError).on('message', onAnswer);
    worker.postMessage(request);
  });
}

/** A checkout without a build has no script for the thread. Then this thread decodes. */
const codec: Codec = async (request) => {
  const script = fileURLToPath(new URL('./node-codecs.js', import.meta.url));
  if (existsSync(script)) return decodeIn(script, request);
  const { decodeCodec } = await import('../frames/image-files/codecs-page.ts');
  return decodeCodec(request);
};

// BMP, which sharp does not read. The decoder for recordings reads it: FFmpeg, in this process or as a program.

/** Positions in the header: bits per pixel, packing of the pixels, mask of the green bits. */
const BITS = 28;
const COMPRESSION = 30;
const GREEN = 58;
/** Uncompressed: the fourth byte of a pixel has no meaning. */
const PLAIN = 0;
const MASKS = 3;

/** @throws {FoveolaError} (rejects) 'source-unsupported' (no decoder is installed), 'decode-failed' */
async function bmpPixels(bytes: Uint8Array): Promise<ImageData> {
  // A random folder name, because FFmpeg interprets % in an image name as the number in a sequence.
  const folder = await mkdtemp(path.join(tmpdir(), 'foveola-bmp-'));
  try {
    const file = path.join(folder, 'picture.bmp');
    await writeFile(file, bytes);
    const recording = await openRecording(file);
    try {
      for await (const picture of recording.pictures()) return asBrowsers(rgbaOf(picture), bytes);
    } finally {
      recording.close();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  throw new FoveolaError('decode-failed', 'The file has no image.');
}

function rgbaOf(picture: Picture): ImageData {
  const { format, width, height, planes } = picture;
  const samples = new Uint8ClampedArray(4 * width * height);
  const [{ data, stride }] = planes as [Picture['planes'][number]];
  for (let y = 0; y < height; y++)
    if (format === 'RGBA') samples.set(data.subarray(y * stride, y * stride + 4 * width), 4 * y * width);
    else
      for (let x = 0; x < width; x++) {
        const at = 4 * (y * width + x);
        samples.fill(data[y * stride + x]!, at, at + 3);
        samples[at + 3] = 255;
      }
  picture.release();
  return rgbaImage(width, height, samples);
}

/**
 * Corrects FFmpeg's differences: it reads the fourth byte as transparency, and repeats the upper bits of 5 or 6 as
 * lower ones.
 */
function asBrowsers(image: ImageData, bytes: Uint8Array): ImageData {
  const { data } = image;
  const header = new DataView(bytes.buffer, bytes.byteOffset);
  const packing = header.getUint32(COMPRESSION, true);
  if (packing === PLAIN) for (let i = 3; i < data.length; i += 4) data[i] = 255;
  if (header.getUint16(BITS, true) === 16) {
    const six = packing === MASKS && header.getUint32(GREEN, true) === 0x7e0;
    const spread = (value: number, bits: number) => Math.round(((value >> (8 - bits)) * 255) / ((1 << bits) - 1));
    for (let i = 0; i < data.length; i++) if (i % 4 < 3) data[i] = spread(data[i]!, six && i % 4 === 1 ? 6 : 5);
  }
  return image;
}

// Converts a JPEG like browsers do, where sharp differs.

const END = 0xd9;

/** Whether there is an end marker. Browsers treat a JPEG without one as a file that is still loading. */
function endsWell(bytes: Uint8Array): boolean {
  for (let at = bytes.lastIndexOf(END); at > 2; at = bytes.lastIndexOf(END, at - 1))
    if (bytes[at - 1] === 0xff) return true;
  return false;
}

/** Four components: CMYK, or YCCK, which the decoder converts to CMYK. */
const isCmyk = (bytes: Uint8Array): boolean => jpegHeader(bytes)?.components === 4;

/**
 * RGBA from ink values, 0 for no ink. Browsers and sharp treat CMYK in JPEG as inverted, as written by Adobe's
 * programs. Browsers then multiply each color by black, but sharp uses an ICC profile.
 */
function cmykPixels(ink: Uint8ClampedArray): Uint8ClampedArray<ArrayBuffer> {
  const rgba = new Uint8ClampedArray(ink.length);
  for (let i = 0; i < ink.length; i += 4) {
    const black = 255 - ink[i + 3]!;
    for (let c = 0; c < 3; c++) rgba[i + c] = Math.floor(((255 - ink[i + c]!) * black) / 255);
    rgba[i + 3] = 255;
  }
  return rgba;
}

/**
 * Pixels, scale and notes of an image file, like `readImage` on a page.
 * @param source path, file: URL, bytes or Blob
 * @throws {FoveolaError} (rejects) 'invalid-argument' (the file does not exist), 'source-unsupported', 'decode-failed',
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

/**
 * The decoders that the readers use in place of a browser. They run on this thread, because there is no page to block.
 */
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

/** Null if the readers must read it. This includes a JPEG without its end marker, like on a page. */
async function decoded(blob: Blob, header: Uint8Array, { signal }: ReadOptions): Promise<ImageFile | null> {
  if (isForReader(header)) return null;
  const format = describeBytes(header).replace(/^an? | image$/g, '');
  const bytes = new Uint8Array(await blob.arrayBuffer());
  if (isJpeg(header) && !endsWell(bytes)) return null;
  const image = await pixelsOf(bytes, format);
  if (signal?.aborted) throw new FoveolaError('aborted', 'Reading the file was cancelled.', { cause: signal.reason });
  return { ...{ format, bits: 8, spacing: null, notes: [], pages: 1, frames: 1 }, image };
}

/** An image inside another file. The orientation of the outer file applies. */
const decodedPicture = (bytes: Uint8Array) => pixelsOf(bytes, describeBytes(bytes).replace(/^an? /, ''), false);

/** RGBA like on a page: the color of fully transparent pixels is black. `turn`: rotate according to EXIF. */
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
