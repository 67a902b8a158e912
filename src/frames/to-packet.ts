/**
 * Converts a source to a packet on the page, synchronously if the browser allows it, so that the moment of the call
 * counts. The caller keeps ownership: frames and bitmaps are cloned, never closed.
 */
import type { GrayImage, ImageFileNotes, Source } from '../results/types.ts';
import { asFoveolaError, FoveolaError } from '../runtime/error.ts';
import { closePacket, type ReadablePacket } from '../runtime/engine/protocol.ts';
import { networkFault } from '../runtime/patience.ts';
import { networkFailed } from './addresses.ts';
import { canvasPixels, decodeBitmap } from './canvas-pixels.ts';
import { checkBlob, describeBytes, isForReader, isJpeg, notDecoded } from './blob-header.ts';
import { readFile } from './image-files.ts';
import type { ReadOptions } from './image-files/pace.ts';
import { checkDecoded, checkSize } from './size.ts';

/**
 * Resolves when the pixels of a video's current frame can be read. A busy Chromium fires 'loadeddata' before that: for
 * some milliseconds the video has its first frame but cannot return it. After two seconds this resolves anyway, and the
 * reader reports the error.
 */
export async function pictured(video: HTMLVideoElement): Promise<void> {
  for (let turn = 0; turn < 100; turn++)
    try {
      return (await createImageBitmap(video, 0, 0, 1, 1)).close();
    } catch (error) {
      if ((error as DOMException).name !== 'InvalidStateError') return; // of another origin: reported elsewhere
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
}

/** Accepted sources. */
export const acceptedSources =
  'an img, video or canvas element, OffscreenCanvas, ImageBitmap, ImageData, VideoFrame, Blob or { width, height, data: Uint8Array }';

/** Pixels as stored in the file: no color management, no premultiplied alpha, EXIF orientation applied. */
const asStored: ImageBitmapOptions = {
  colorSpaceConversion: 'none',
  premultiplyAlpha: 'none',
  imageOrientation: 'from-image',
};

/** Whether `source` is an instance of a class that may not exist on this platform. */
function isA<K extends keyof typeof globalThis>(source: unknown, name: K): boolean {
  const type = globalThis[name] as unknown;
  return typeof type === 'function' && source instanceof type;
}

/** File notes of images from `readImage`. */
export const notesOf = new WeakMap<object, ImageFileNotes>();

export const tainted = (what: string, cause?: unknown) =>
  new FoveolaError(
    'source-tainted',
    `The ${what} is from another origin without CORS, so its pixels cannot be read. Load it with crossorigin="anonymous" from a server that sends Access-Control-Allow-Origin.`,
    { cause },
  );

/**
 * @param signal ends the reading and decoding of a file
 * @throws {FoveolaError} (or rejects) 'invalid-argument', 'source-not-ready', 'source-tainted', 'source-unsupported',
 * 'decode-failed', 'image-too-large', 'aborted'
 */
export function toPacket(source: Source, signal?: AbortSignal): ReadablePacket | Promise<ReadablePacket> {
  if (typeof source !== 'object' || source === null)
    throw new FoveolaError('invalid-argument', `The source must be ${acceptedSources}, not ${String(source)}.`);
  if (isA(source, 'VideoFrame')) return ofFrame(source as VideoFrame);
  if (isA(source, 'HTMLVideoElement')) return ofVideo(source as HTMLVideoElement);
  if (isA(source, 'HTMLImageElement')) return ofImage(source as HTMLImageElement);
  if (isA(source, 'HTMLCanvasElement') || isA(source, 'OffscreenCanvas')) return ofCanvas(source as HTMLCanvasElement);
  if (isA(source, 'ImageBitmap')) return ofBitmap(source as ImageBitmap);
  if (isA(source, 'Blob')) return ofBlob(source as Blob, { signal });
  const { data } = source as GrayImage | ImageData;
  // Detected by its shape, so that ImageData of other realms and of Node packages works.
  if (data instanceof Uint8ClampedArray) return ofSamples('rgba', source as ImageData, 4);
  if (data instanceof Uint8Array) return ofSamples('gray', source as GrayImage, 1);
  if (data !== undefined && 'width' in source)
    throw new FoveolaError(
      'invalid-argument',
      "The source's data must be a Uint8Array (gray) or a Uint8ClampedArray (RGBA).",
    );
  throw new FoveolaError('invalid-argument', `The source must be ${acceptedSources}.`);
}

function ofSamples(kind: 'gray' | 'rgba', image: GrayImage | ImageData, channels: number): ReadablePacket {
  const { width, height, data } = image;
  checkSize(width, height);
  if (data.length !== width * height * channels)
    throw new FoveolaError(
      'invalid-argument',
      `A ${width}x${height} ${kind === 'gray' ? 'gray' : 'RGBA'} image needs ${width * height * channels} bytes of data, but there are ${data.length}.`,
    );
  return { kind, width, height, data, file: notesOf.get(image) } as ReadablePacket;
}

function ofFrame(source: VideoFrame): ReadablePacket {
  checkDecoded(source.displayWidth, source.displayHeight, 'VideoFrame was closed or is empty');
  return { kind: 'frame', frame: source.clone() };
}

function ofVideo(video: HTMLVideoElement): ReadablePacket | Promise<ReadablePacket> {
  if (video.error?.code === MediaError.MEDIA_ERR_NETWORK && !video.currentSrc.startsWith('blob:'))
    throw networkFailed(video.currentSrc, `${networkFault(video.error)} at ${video.currentTime.toFixed(3)} s`);
  if (video.error)
    throw new FoveolaError('decode-failed', `The video cannot be played: ${video.error.message || 'unknown format'}.`);
  if (video.readyState < HTMLMediaElement.HAVE_CURRENT_DATA)
    throw new FoveolaError('source-not-ready', "The video has no frame yet. Wait for its 'loadeddata' event.");
  checkDecoded(video.videoWidth, video.videoHeight, 'video has no picture');
  if (typeof VideoFrame === 'undefined') return fromBitmap(createImageBitmap(video, asStored), 'video');
  try {
    return { kind: 'frame', frame: new VideoFrame(video) };
  } catch (cause) {
    if (isSecurityError(cause)) throw tainted('video', cause);
    return fromBitmap(
      pictured(video).then(() => createImageBitmap(video, asStored)),
      'video',
    );
  }
}

function ofImage(image: HTMLImageElement): Promise<ReadablePacket> {
  if (!image.complete)
    throw new FoveolaError('source-not-ready', 'The image is still loading. Await image.decode() first.');
  if (image.naturalWidth === 0 || image.naturalHeight === 0) {
    if (!image.currentSrc && !image.src)
      throw new FoveolaError('source-not-ready', 'The image element has no src. Set it first.');
    throw new FoveolaError(
      'decode-failed',
      `The image ${image.currentSrc || image.src} is missing or is not an image.`,
    );
  }
  checkDecoded(image.naturalWidth, image.naturalHeight);
  return fromBitmap(createImageBitmap(image, asStored), 'image');
}

function ofCanvas(canvas: HTMLCanvasElement | OffscreenCanvas): Promise<ReadablePacket> {
  checkSize(canvas.width, canvas.height, 'canvas has no area');
  return fromBitmap(createImageBitmap(canvas, asStored), 'canvas');
}

function ofBitmap(bitmap: ImageBitmap): Promise<ReadablePacket> {
  checkSize(bitmap.width, bitmap.height, 'ImageBitmap was closed or transferred');
  return fromBitmap(createImageBitmap(bitmap, asStored), 'bitmap');
}

/** Image files, by their content. */
export async function ofBlob(blob: Blob, options: ReadOptions): Promise<ReadablePacket> {
  const header = await checkBlob(blob);
  if (isForReader(header)) return ofReader(blob, header, options);
  let bitmap: ImageBitmap;
  try {
    bitmap = await decodeBitmap(blob, asStored, options.signal);
  } catch (cause) {
    if (cause instanceof FoveolaError) throw cause;
    // Perhaps only its end marker is missing.
    if (isJpeg(header)) return ofReader(blob, header, options);
    throw notDecoded(describeBytes(header), cause);
  }
  return checked({ kind: 'bitmap', bitmap });
}

async function ofReader(blob: Blob, header: Uint8Array, options: ReadOptions): Promise<ReadablePacket> {
  const { image, ...file } = await readFile({ file: blob, header }, options);
  return { ...(toPacket(image) as ReadablePacket), file, own: true } as ReadablePacket;
}

function checked(packet: ReadablePacket & { kind: 'bitmap' }): ReadablePacket {
  try {
    checkDecoded(packet.bitmap.width, packet.bitmap.height);
  } catch (error) {
    closePacket(packet);
    throw error;
  }
  return readable(packet);
}

/** A worker without OffscreenCanvas cannot read a bitmap, so the page reads it. */
function readable(packet: ReadablePacket & { kind: 'bitmap' }): ReadablePacket {
  if (typeof OffscreenCanvas !== 'undefined' || typeof document === 'undefined') return packet;
  const { width, height } = packet.bitmap;
  try {
    return { kind: 'rgba', width, height, data: canvasPixels(packet.bitmap, width, height), own: true };
  } finally {
    closePacket(packet);
  }
}

async function fromBitmap(making: Promise<ImageBitmap>, what: string): Promise<ReadablePacket> {
  let bitmap: ImageBitmap;
  try {
    bitmap = await making;
  } catch (cause) {
    if (isSecurityError(cause)) throw tainted(what, cause);
    if (cause instanceof DOMException)
      throw new FoveolaError(
        'source-not-ready',
        `The ${what} has no readable pixels: ${cause.message} Wait for its first frame, or use a type this browser shows.`,
        { cause },
      );
    throw asFoveolaError(cause, `Reading the ${what}`);
  }
  if (!isClean(bitmap)) {
    bitmap.close();
    throw tainted(what);
  }
  return readable({ kind: 'bitmap', bitmap });
}

export const isSecurityError = (error: unknown) => error instanceof DOMException && error.name === 'SecurityError';

/**
 * Browsers create bitmaps of cross-origin images and refuse to read their pixels later. This is tested here with one
 * pixel.
 */
function isClean(bitmap: ImageBitmap): boolean {
  const canvas = typeof OffscreenCanvas === 'undefined' ? document.createElement('canvas') : new OffscreenCanvas(1, 1);
  canvas.width = canvas.height = 1;
  const context = canvas.getContext('2d', { willReadFrequently: true }) as CanvasRenderingContext2D | null;
  if (!context) return true;
  try {
    context.drawImage(bitmap, 0, 0, 1, 1, 0, 0, 1, 1);
    context.getImageData(0, 0, 1, 1);
    return true;
  } catch (error) {
    if (isSecurityError(error)) return false;
    throw error;
  }
}
