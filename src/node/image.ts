/**
 * Photographs in files. What the project's own readers know (frames/image-files) is read by them, BMP by what decodes
 * recordings, all others by sharp, whose JPEG decoder is that of the browsers (libjpeg-turbo): without color management,
 * turned as EXIF says.
 */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { Codec, CodecPicture, CodecRequest } from '../frames/image-files/codec.ts';
import { damaged } from '../frames/image-files/faults.ts';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { rgbaImage } from '../frames/rgba-image.ts';
import { FoveolaError, asFoveolaError } from '../runtime/error.ts';
import type { Picture } from './decoded-frame.ts';
import { openRecording } from './recording-decoder.ts';
import { jpegHeader } from '../frames/image-files/jpeg.ts';
import { checkBlob, describeBytes, isForReader, isJpeg, notDecoded } from '../frames/blob-header.ts';
import { readFile } from '../frames/image-files.ts';
import type { ReadOptions } from '../frames/image-files/pace.ts';
import { checkSize } from '../frames/size.ts';
import { notesOf } from '../frames/to-packet.ts';
import type { ImageFile } from '../results/types.ts';
import { blobOf, pathOf } from './files.ts';

// JPEG-LS and JPEG 2000 in Node: in a thread, which a damaged file may keep busy for good and which is ended then.

/** Milliseconds for a picture, as for the decoder of a browser. */
const MOST = 20_000;
/** A thread without work ends. */
const IDLE = 5000;

type Answer = { picture: CodecPicture } | { error: string };

/** A thread without work, and what ends it. */
let idle: { worker: Worker; timer: NodeJS.Timeout; end: () => void } | null = null;

function take(script: string): Worker {
  if (!idle) return new Worker(script, { name: 'foveola codecs' });
  const { worker, timer, end } = idle;
  clearTimeout(timer);
  idle = null;
  worker.off('error', end); // without removeAllListeners(): after that a worker of Node has no messages any more
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

/** In a checkout without its build there is no script of the thread; then this thread decodes. */
const codec: Codec = async (request) => {
  const script = fileURLToPath(new URL('./node-codecs.js', import.meta.url));
  if (existsSync(script)) return decodeIn(script, request);
  const { decodeCodec } = await import('../frames/image-files/codecs-page.ts');
  return decodeCodec(request);
};

// BMP, which sharp does not read, by what decodes recordings here: FFmpeg, inside this process or as a program.

/** Places in the header: bits of a pixel, how pixels are packed, which of their bits are green. */
const BITS = 28;
const COMPRESSION = 30;
const GREEN = 58;
/** As it stands: the fourth byte of a pixel means nothing. */
const PLAIN = 0;
const MASKS = 3;

/** @throws {FoveolaError} (rejects) 'source-unsupported' (no decoder is installed), 'decode-failed' */
async function bmpPixels(bytes: Uint8Array): Promise<ImageData> {
  // A name of its own: FFmpeg takes % in the name of a picture for the number of one in a row.
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

/** What FFmpeg does otherwise: it takes the fourth byte for transparency, and repeats the upper bits of 5 or 6 as lower ones. */
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

// What browsers do with a JPEG, and sharp otherwise.

const END = 0xd9;

/** Whether there is an end marker. Browsers take a JPEG without one for a file that is still loading. */
function endsWell(bytes: Uint8Array): boolean {
  for (let at = bytes.lastIndexOf(END); at > 2; at = bytes.lastIndexOf(END, at - 1))
    if (bytes[at - 1] === 0xff) return true;
  return false;
}

/** Four components: CMYK, or YCCK, which the decoder makes CMYK of. */
const isCmyk = (bytes: Uint8Array): boolean => jpegHeader(bytes)?.components === 4;

/**
 * RGBA of ink, 0 for none. Browsers and sharp take CMYK in JPEG for inverted, as Adobe's programs write it; browsers then
 * multiply each color with black, and sharp asks an ICC profile.
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
