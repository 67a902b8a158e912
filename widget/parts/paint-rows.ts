/** Pixels on a canvas, some rows at a time: those of a large picture would else be there once more. */
import { FoveolaError } from '../../src/index.ts';

/**
 * The 2D context of a canvas.
 * @throws {FoveolaError} 'out-of-memory' where the browser has none left to give
 */
export function context2d(canvas: HTMLCanvasElement): CanvasRenderingContext2D {
  const context = canvas.getContext('2d');
  if (context) return context;
  throw new FoveolaError(
    'out-of-memory',
    'The browser has no 2D canvas: its canvas memory is full, or a setting or extension forbids it. Close other pages, then open the source again.',
  );
}

/** Pixels that are made at a time. */
const BAND = 1 << 20;

/** Of a larger picture what is drawn over it has a pixel for four: with four bytes each it would take more than all else. */
const LARGE = 1 << 24;

/** Side of the blocks of a picture of this size that are one pixel on the screen. */
export const sideOf = ({ width, height }: { readonly width: number; readonly height: number }): number =>
  width * height > LARGE ? 2 : 1;

/** A mask in a color (red, green, blue), as opaque as it is set; all else transparent. */
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

/** `fill` makes `rows` rows from row `top` on, each pixel a word of red, green, blue and opacity, which is 0 before. */
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
  const words = new Uint32Array(picture.data.buffer); // low bytes come first on every machine with WebAssembly
  for (let top = 0; top < height; top += most) {
    const rows = Math.min(most, height - top);
    if (top) words.fill(0);
    fill(words, top, rows);
    context.putImageData(picture, 0, top, 0, 0, width, rows);
  }
  return canvas;
}
