/**
 * Hides an area of a picture for good: its pixels are replaced by the means of coarse cells. Cells are a share of the area, never a
 * number of pixels: small ones, as of a mosaic that is the same for all sizes, can be recognized by a program that has learned
 * faces. 'blur' draws the same few means smoothly and thus gives away no more; 'cover' gives away nothing.
 */
import type { Area } from './face-areas.ts';

export const hidings = ['pixelate', 'blur', 'cover'] as const;
export type Hiding = (typeof hidings)[number];

/** Cells across an area that is half as wide again as a face: fewer than five from ear to ear. */
const across = 8;
/** Means have so many steps only: from many frames of one face more could be guessed from the last bits. */
const levels = 16;
const cover = '#808080';

interface Cell {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly column: number;
  readonly row: number;
}

/** Ends of cells of at least this size along a line; one cell where there is no room for more. */
function ends(from: number, to: number, size: number): number[] {
  const count = Math.max(1, Math.floor((to - from) / size));
  return Array.from({ length: count + 1 }, (_, i) => from + Math.round((i * (to - from)) / count));
}

/** The cells that the ellipse in the area touches, of the part of the area that is in the picture. */
export function cellsOf(area: Area, width: number, height: number): Cell[] {
  const [left, right] = [Math.max(0, Math.floor(area.x)), Math.min(width, Math.ceil(area.x + area.width))];
  const [top, bottom] = [Math.max(0, Math.floor(area.y)), Math.min(height, Math.ceil(area.y + area.height))];
  if (!(left < right && top < bottom)) return [];
  const size = Math.max(2, area.width / across);
  const [columns, rows] = [ends(left, right, size), ends(top, bottom, size)];
  const [x0, y0] = [area.x + area.width / 2, area.y + area.height / 2];
  const cells: Cell[] = [];
  for (let row = 0; row + 1 < rows.length; row++)
    for (let column = 0; column + 1 < columns.length; column++) {
      const [x, y] = [columns[column]!, rows[row]!];
      const cell = { x, y, width: columns[column + 1]! - x, height: rows[row + 1]! - y, column, row };
      const u = (Math.min(Math.max(x0, x), x + cell.width) - x0) / (area.width / 2);
      const v = (Math.min(Math.max(y0, y), y + cell.height) - y0) / (area.height / 2);
      if (u * u + v * v <= 1) cells.push(cell);
    }
  return cells;
}

/** The mean color of a rectangle, in few steps. */
function meanOf({ data, width }: ImageData, x: number, y: number, cell: Cell): string {
  let [red, green, blue] = [0, 0, 0];
  for (let row = 0; row < cell.height; row++)
    for (let column = 0; column < cell.width; column++) {
      const at = 4 * ((y + row) * width + x + column);
      red += data[at]!;
      green += data[at + 1]!;
      blue += data[at + 2]!;
    }
  const step = 256 / levels;
  const coarse = (sum: number) => step * Math.floor(sum / (cell.width * cell.height) / step) + step / 2;
  return `rgb(${coarse(red)} ${coarse(green)} ${coarse(blue)})`;
}

/** `area` in pixels of the canvas; `source`: the same picture without what is drawn over it, whose means are taken. */
export function hideArea(
  context: CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D,
  area: Area,
  how: Hiding,
  source: HTMLCanvasElement | OffscreenCanvas = context.canvas,
): void {
  const cells = cellsOf(area, context.canvas.width, context.canvas.height);
  const [first] = cells;
  if (!first) return;
  const left = Math.min(...cells.map(({ x }) => x));
  const top = first.y;
  const right = Math.max(...cells.map(({ x, width }) => x + width));
  const last = cells.at(-1)!;
  const [width, height] = [right - left, last.y + last.height - top];
  context.save();
  if (how === 'cover') {
    context.fillStyle = cover;
    for (const cell of cells) context.fillRect(cell.x, cell.y, cell.width, cell.height);
  } else {
    // Read on a canvas of its own: one that is read itself loses its acceleration, and a video of it then changes its colors.
    const copy = new OffscreenCanvas(width, height).getContext('2d', { willReadFrequently: true })!;
    copy.drawImage(source, -left, -top);
    const pixels = copy.getImageData(0, 0, width, height);
    const column = Math.min(...cells.map((cell) => cell.column));
    const [columns, rows] = [Math.max(...cells.map((cell) => cell.column)) - column + 1, last.row - first.row + 1];
    const means = new OffscreenCanvas(columns, rows);
    const small = means.getContext('2d')!;
    context.beginPath();
    for (const cell of cells) {
      const color = meanOf(pixels, cell.x - left, cell.y - top, cell);
      context.fillStyle = small.fillStyle = color;
      if (how === 'pixelate') context.fillRect(cell.x, cell.y, cell.width, cell.height);
      small.fillRect(cell.column - column, cell.row - first.row, 1, 1);
      context.rect(cell.x, cell.y, cell.width, cell.height);
    }
    if (how === 'blur') {
      context.clip();
      context.fillStyle = cover;
      context.fillRect(left, top, width, height); // beneath what the smoothing leaves half open at the corners
      context.imageSmoothingEnabled = true;
      context.imageSmoothingQuality = 'high';
      context.drawImage(means, left, top, width, height);
    }
  }
  context.restore();
}
