/** RGBA pixels through a 2D canvas: the way for bitmaps on the WASM side, and the last resort for video frames. */
import { FoveolaError } from '../runtime/error.ts';

type Context = CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D;

let shared: Context | null = null;

function contextOf(width: number, height: number): Context {
  if (!shared) {
    const canvas =
      typeof OffscreenCanvas !== 'undefined'
        ? new OffscreenCanvas(width, height)
        : typeof document !== 'undefined'
          ? document.createElement('canvas')
          : null;
    // In memory, not on the GPU: everything drawn here is read back at once.
    shared = (canvas?.getContext('2d', { willReadFrequently: true }) as Context | null | undefined) ?? null;
    if (!shared)
      throw new FoveolaError(
        'source-unsupported',
        'There is no 2D canvas here to read this source with; pass ImageData or { width, height, data }.',
      );
  }
  const { canvas } = shared;
  if (canvas.width !== width || canvas.height !== height) {
    canvas.width = width;
    canvas.height = height;
  } else shared.clearRect(0, 0, width, height);
  return shared;
}

/** Tightly packed RGBA of a bitmap or frame, scaled to width x height. Transparent pixels come out black. */
export function canvasPixels(source: CanvasImageSource, width: number, height: number): Uint8ClampedArray {
  const context = contextOf(width, height);
  try {
    context.drawImage(source, 0, 0, width, height);
    return context.getImageData(0, 0, width, height).data;
  } catch (cause) {
    if (cause instanceof DOMException && cause.name === 'SecurityError')
      throw new FoveolaError(
        'source-tainted',
        'The image comes from another origin without CORS, so its pixels cannot be read. Load it with crossorigin="anonymous" from a server that sends Access-Control-Allow-Origin.',
        { cause },
      );
    if (cause instanceof RangeError || (cause instanceof DOMException && cause.name !== 'InvalidStateError'))
      throw new FoveolaError(
        'out-of-memory',
        `The browser has no canvas of ${width}x${height} pixels; scale the image down.`,
        { cause },
      );
    throw cause;
  } finally {
    // A large image's canvas is not kept for the next small one.
    if (width * height > 1 << 22) shared = null;
  }
}

let noisy: boolean | null = null;

/**
 * Whether this browser changes pixels that are read back, against fingerprinting: a known pattern is drawn once and
 * read. False where there is no canvas at all.
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
