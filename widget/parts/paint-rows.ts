/** Paints pixels on a canvas in bands of rows, so that a large image does not need a second full copy. */
import { FoveolaError } from '../../src/index.ts';

/**
 * Returns the 2D context of a canvas.
 * @throws {FoveolaError} 'out-of-memory' if the browser cannot allocate another one
 */
export function context2d(canvas: HTMLCanvasElement): CanvasRenderingContext2D {
  const context = canvas.getContext('2d');
  if (context) return context;
  throw new FoveolaError(
    'out-of-memory',
    'The browser has no 2D canvas: its canvas memory is full, or a setting or extension forbids it. Close other pages, then open the source again.',
  );
}

/** Number of pixels per band. */
const BAND = 1 << 20;

/**
 * Above this size, an overlay has one pixel for four image pixels. At four bytes per pixel it would otherwise need more
 * memory than everything else.
 */
const LARGE = 1 << 24;

/** Size of the blocks of an image that share one overlay pixel. */
export const sideOf = ({ width, height }: { readonly width: number; readonly height: number }): number =>
  width * height > LARGE ? 2 : 1;

/** Paints a mask in a color (red, green, blue) with its opacity. Everything else is transparent. */
export function paintMask(
  { width, height, data }: { readonly width: number; readonly height: number; readonly data: Uint8Array },
  [r, g, b]: readonly number[],
  canvas: HTMLCanvasElement,
): HTMLCanvasElement {
  const side = sideOf({ width, height });
  const size = { width: Math.ceil(width / side), height: Math.ceil(height / side) };
  const color = (b! << 16) | (g! << 8) | r!;
  const share = Math.floor(255 / (side * side));
  return paintRows(canvas, size, (words, top, rows) => {
    for (let y = side * top; y < Math.min(height, side * (top + rows)); y++) {
      const to = (Math.floor(y / side) - top) * size.width;
      for (let x = 0, i = y * width; x < width; x++, i++) {
        if (!data[i]) continue;
        const at = to + Math.floor(x / side);
        words[at] = color | (((words[at]! >>> 24) + share) << 24);
      }
    }
  });
}

/**
 * `fill` fills `rows` rows, starting at row `top`. Each pixel is a word of red, green, blue and opacity, initially 0.
 */
export function paintRows(
  canvas: HTMLCanvasElement,
  { width, height }: { readonly width: number; readonly height: number },
  fill: (words: Uint32Array, top: number, rows: number) => void,
): HTMLCanvasElement {
  canvas.width = width;
  canvas.height = height;
  const context = context2d(canvas);
  const most = Math.max(1, Math.min(height, Math.floor(BAND / width)));
  const picture = new ImageData(width, most);
  const words = new Uint32Array(picture.data.buffer); // every machine with WebAssembly is little-endian
  for (let top = 0; top < height; top += most) {
    const rows = Math.min(most, height - top);
    if (top) words.fill(0);
    fill(words, top, rows);
    context.putImageData(picture, 0, top, 0, 0, width, rows);
  }
  return canvas;
}
