/** RGBA pixels through a 2D canvas: used for bitmaps in the WASM backend, and as a last resort for video frames. */
import { abortedError, throwIfCancelled } from '../runtime/engine/options.ts';
import { FoveolaError } from '../runtime/error.ts';

// Time limit for the browser's image decoder, ms. It reports no progress and cannot be stopped. After a cancel or the
// limit, it is ignored, and its late result is closed.

const MOST = 20_000;

/** @throws {FoveolaError} (rejects) 'decode-failed' after 20 s, 'aborted', otherwise the browser's error */
export async function decodeBitmap(
  file: Blob,
  options: ImageBitmapOptions,
  signal?: AbortSignal,
): Promise<ImageBitmap> {
  throwIfCancelled(signal);
  const bitmap = createImageBitmap(file, options);
  let leave!: (error: FoveolaError) => void;
  const left = new Promise<never>((_, reject) => (leave = reject));
  const cancel = () => leave(abortedError(signal!));
  const timer = setTimeout(
    () => leave(new FoveolaError('decode-failed', 'The image takes over 20 s to decode. Scale it down first.')),
    MOST,
  );
  signal?.addEventListener('abort', cancel);
  try {
    return await Promise.race([bitmap, left]);
  } catch (error) {
    bitmap.then((late) => late.close()).catch(() => {});
    throw error;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', cancel);
  }
}

type Context = CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D;

let shared: Context | null = null;

function newContext(width: number, height: number): Context {
  const canvas =
    typeof OffscreenCanvas !== 'undefined'
      ? new OffscreenCanvas(width, height)
      : typeof document !== 'undefined'
        ? Object.assign(document.createElement('canvas'), { width, height })
        : null;
  // In memory, not on the GPU, because everything drawn here is read back immediately.
  const context = canvas?.getContext('2d', { willReadFrequently: true }) as Context | null | undefined;
  if (context) return context;
  throw new FoveolaError(
    'source-unsupported',
    'No 2D canvas is available to read this source. Pass ImageData or { width, height, data }.',
  );
}

function contextOf(width: number, height: number): Context {
  shared ??= newContext(width, height);
  const { canvas } = shared;
  if (canvas.width !== width || canvas.height !== height) {
    canvas.width = width;
    canvas.height = height;
  } else shared.clearRect(0, 0, width, height);
  return shared;
}

/** Number of pixels that are drawn and read at once: a 4K frame. */
const AT_ONCE = 9 << 20;
/**
 * Band of a larger image, in pixels. A canvas for a whole photograph would double the memory, and the pixels read from
 * it would add the same amount again.
 */
const BAND = 1 << 20;

/** RGBA of a bitmap or frame, scaled to width x height, some rows at a time. Transparent pixels become black. */
export function* canvasBands(
  source: CanvasImageSource,
  width: number,
  height: number,
  pixels = width * height > AT_ONCE ? BAND : AT_ONCE,
): Generator<{ y: number; end: number; rgba: Uint8ClampedArray }, void> {
  const rows = Math.max(1, Math.min(height, Math.floor(pixels / width)));
  try {
    const context = rows < height ? newContext(width, rows) : contextOf(width, rows);
    for (let y = 0; y < height; y += rows) {
      const end = Math.min(height, y + rows);
      if (y) context.clearRect(0, 0, width, rows);
      context.drawImage(source, 0, -y, width, height);
      yield { y, end, rgba: context.getImageData(0, 0, width, end - y).data };
    }
  } catch (cause) {
    if (cause instanceof DOMException && cause.name === 'SecurityError')
      throw new FoveolaError(
        'source-tainted',
        'The image is from another origin without CORS, so its pixels cannot be read. Load it with crossorigin="anonymous" from a server that sends Access-Control-Allow-Origin.',
        { cause },
      );
    if (cause instanceof RangeError || (cause instanceof DOMException && cause.name !== 'InvalidStateError'))
      throw new FoveolaError(
        'out-of-memory',
        `The browser has no canvas of ${width}x${height} pixels. Scale the image down.`,
        { cause },
      );
    throw cause;
  }
}

/** RGBA of a bitmap or frame, tightly packed and in one piece. */
export function canvasPixels(source: CanvasImageSource, width: number, height: number): Uint8ClampedArray {
  let pixels: Uint8ClampedArray | undefined;
  for (const { y, end, rgba } of canvasBands(source, width, height)) {
    if (end - y === height) return rgba;
    pixels ??= new Uint8ClampedArray(4 * width * height);
    pixels.set(rgba, 4 * width * y);
  }
  return pixels!;
}

let noisy: boolean | null = null;

/**
 * Whether this browser changes pixels that are read back, to prevent fingerprinting. A known pattern is drawn once and
 * read. False if there is no canvas.
 */
export function canvasIsNoisy(): boolean {
  if (noisy !== null) return noisy;
  const side = 16;
  try {
    const context = contextOf(side, side);
    const pattern = context.createImageData(side, side);
    pattern.data.forEach((_, i, data) => (data[i] = i % 4 === 3 ? 255 : (i * 151) & 255));
    context.putImageData(pattern, 0, 0);
    const read = context.getImageData(0, 0, side, side).data;
    noisy = read.some((value, i) => value !== pattern.data[i]);
  } catch {
    noisy = false;
  }
  return noisy;
}
