/**
 * Hides an area of an image irreversibly: its pixels are replaced by the means of coarse cells. The cell size is a
 * fraction of the area, never a number of pixels. A mosaic with a fixed cell size has small cells on large faces, and a
 * program trained on faces can recognize those. 'blur' draws the same few means smoothly and thus reveals no more.
 * 'cover' reveals nothing.
 */
import type { Face } from '../../../src/index.ts';

// Positions of heads in a recording, in source pixels: the whole head, not only the box of a detector. A face that is
// found late, or lost for a while, was there before and is there after. So each area counts for a second before and
// after.

export interface Area {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Milliseconds. */
const heldFor = 1000;
/**
 * Margins around a detector's box, which spans brow to chin. They add hair, ears and beard, with more above than below.
 */
const [wider, above, below] = [0.35, 0.6, 0.4];

export type FoundFace = Pick<Face, 'id' | 'x' | 'y' | 'width' | 'height' | 'landmarks'>;

/** The points of a turned or tilted head extend beyond the box. */
export function headOf({ x, y, width, height, landmarks }: FoundFace): Area {
  let [left, right] = [x - wider * width, x + (1 + wider) * width];
  let [top, bottom] = [y - above * height, y + (1 + below) * height];
  for (let i = 0; landmarks && i < landmarks.length; i += 2) {
    const [at, down] = [landmarks[i]!, landmarks[i + 1]!];
    if (at < left) left = at;
    if (at > right) right = at;
    if (down < top) top = down;
    if (down > bottom) bottom = down;
  }
  return { x: left, y: top, width: right - left, height: bottom - top };
}

export class FaceAreas {
  /** Sorted by time. */
  readonly #frames: { readonly mediaTime: number; readonly faces: readonly FoundFace[] }[] = [];

  /** Frames must be added in the order of the recording. */
  add(mediaTime: number, faces: readonly FoundFace[]): void {
    this.#frames.push({ mediaTime, faces });
  }

  /** Areas to hide at this time: each head once, at its nearest known time. */
  at(mediaTime: number): Area[] {
    const nearest = new Map<number, { readonly away: number; readonly face: FoundFace }>();
    for (let i = this.#after(mediaTime - heldFor); i < this.#frames.length; i++) {
      const frame = this.#frames[i]!;
      const away = Math.abs(frame.mediaTime - mediaTime);
      if (frame.mediaTime > mediaTime + heldFor) break;
      for (const face of frame.faces)
        if (away < (nearest.get(face.id)?.away ?? Infinity)) nearest.set(face.id, { away, face });
    }
    return [...nearest.values()].map(({ face }) => headOf(face));
  }

  /** First frame at or after this time. Uses bisection. */
  #after(mediaTime: number): number {
    let [low, high] = [0, this.#frames.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#frames[middle]!.mediaTime < mediaTime) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

export const hidings = ['pixelate', 'blur', 'cover'] as const;
export type Hiding = (typeof hidings)[number];

/** Number of cells across an area, which is one and a half times as wide as a face: fewer than five from ear to ear. */
const across = 8;
/** Number of steps of the means. With finer steps, many frames of one face could reveal more through the last bits. */
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

/** Ends of cells along a line, each with at least this size. One cell if there is not enough room for more. */
function ends(from: number, to: number, size: number): number[] {
  const count = Math.max(1, Math.floor((to - from) / size));
  return Array.from({ length: count + 1 }, (_, i) => from + Math.round((i * (to - from)) / count));
}

/** Cells that touch the ellipse in the area, for the part of the area inside the image. */
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

/** Mean color of a rectangle, in coarse steps. */
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

/** `area` in canvas pixels. `source`: the same image without the overlay, which the means are computed from. */
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
    // Read from a separate canvas. A canvas that is read directly loses its acceleration, and a video made from it then
    // changes its colors.
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
      context.fillRect(left, top, width, height); // fills the corners that smoothing leaves half transparent
      context.imageSmoothingEnabled = true;
      context.imageSmoothingQuality = 'high';
      context.drawImage(means, left, top, width, height);
    }
  }
  context.restore();
}
