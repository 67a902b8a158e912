/**
 * The search of one image with one cascade on the WASM side. Works in steps of at most a few milliseconds, so that it
 * can be spread over frames: whoever runs it decides how far it goes at a time.
 */
import { roundEven } from '../image/numbers.ts';
import type { Cascade } from '../models/cascade.ts';
import type { Plane } from '../runtime/plane.ts';
import type { WasmSide } from '../runtime/wasm-side.ts';
import { cascadeTable, hasTrees, tableWords } from './cascade-table.ts';
import { resizeExact } from './resize.ts';
import { planScales, type Scale, type ScaleOptions } from './scales.ts';

/** Windows in a step of the search. */
const STEP = 12_000;
/** More windows than this are no faces but a cascade that fits everything. */
export const MOST_WINDOWS = 20_000;

/** Row stride in bytes: an odd number of cache lines, so that the rows of a window do not share them. */
const integralStride = (width: number) => ((((width + 1) * 4 + 63 + 64) >> 6) << 6) | 64;

export interface CascadeHits {
  /** x, y, width, height of every window that passed, in pixels of the image. */
  readonly windows: Int32Array;
  /** Windows that were looked at. */
  readonly evaluated: number;
}

/** x, y, width, height of a window of a scale, in pixels of the image. */
export function windowOf(scale: Scale, scaling: ScaleOptions['scaling'], column: number, row: number): number[] {
  const factor = scaling === 'image' ? scale.scale * scale.step : scale.step;
  return [roundEven(column * factor), roundEven(row * factor), scale.window.width, scale.window.height];
}

/** Memory for images of one size, and the tables of the cascade for it. */
export class CascadeSearch {
  readonly #side: WasmSide;
  readonly #cascade: Cascade;
  readonly #options: ScaleOptions;
  readonly #scales: readonly Scale[];
  readonly #stride: number;
  readonly #trees: boolean;
  readonly #blocks: number[] = [];
  readonly #sums: number;
  readonly #squares: number;
  readonly #split: number;
  readonly #hits: number;
  readonly #counts: number;
  readonly #tables = new Map<string, number>();
  readonly width: number;
  readonly height: number;

  constructor(side: WasmSide, cascade: Cascade, width: number, height: number, options: ScaleOptions) {
    this.#side = side;
    this.#cascade = cascade;
    this.#options = options;
    this.width = width;
    this.height = height;
    this.#scales = planScales(cascade, width, height, options);
    this.#stride = integralStride(width);
    this.#trees = hasTrees(cascade);
    const rows = Math.max(0, ...this.#scales.map((s) => s.rows));
    const sides = Math.max(1, ...this.#scales.map((s) => s.height)) + 1;
    try {
      this.#sums = this.#allocate(this.#stride * sides);
      this.#squares = this.#allocate(this.#stride * sides);
      this.#split = this.#scales.some((s) => s.step === 2) ? this.#allocate(2 * this.#stride * sides) : 0;
      this.#hits = this.#allocate(this.#hitStride * rows);
      this.#counts = this.#allocate(4 * rows);
    } catch (error) {
      this.dispose();
      throw error;
    }
  }

  get #hitStride(): number {
    return (this.width + 15) & ~15;
  }

  /** Windows that a search looks at. */
  get windows(): number {
    return this.#scales.reduce((sum, { columns, rows }) => sum + columns * rows, 0);
  }

  /** Steps of one search: the images of a scale, and every so many windows. */
  get steps(): number {
    return this.#scales.reduce((sum, { columns, rows }) => {
      const chunk = Math.max(1, Math.floor(STEP / columns));
      return sum + 1 + Math.ceil(rows / chunk);
    }, 0);
  }

  #allocate(bytes: number): number {
    const address = this.#side.arena.allocate(bytes);
    this.#blocks.push(address);
    return address;
  }

  #table(scale: number, split: boolean): number {
    const own = this.#options.scaling === 'classifier' ? scale : 1;
    const key = `${own} ${split}`;
    let address = this.#tables.get(key);
    if (address === undefined) {
      address = this.#allocate(4 * tableWords(this.#cascade, this.#trees));
      const words = cascadeTable(this.#cascade, { stride: this.#stride, split, scale: own });
      this.#side.arena.i32.set(words, address >> 2);
      this.#tables.set(key, address);
    }
    return address;
  }

  /** Both integral images of one scale, at the search's own stride. */
  #integrals(image: Plane, split: boolean): void {
    const side = this.#side;
    const { width, height, address, stride } = image;
    const args = [width, height, height, 0, 0, 0, 1];
    side.once('integral', [address, stride, this.#sums, this.#stride, ...args]);
    side.once('integralSquares', [address, stride, this.#squares, this.#stride, ...args]);
    if (!split) return;
    const rows = height + 1;
    for (const [i, from] of [this.#sums, this.#squares].entries())
      side.bands('splitColumns', rows, [from, this.#stride, this.#splitAddress(i), this.#stride, width + 1]);
  }

  /** Split copies of the two integral images, one behind the other. */
  #splitAddress(i: number): number {
    return this.#split + i * this.#stride * (Math.max(...this.#scales.map((s) => s.height)) + 1);
  }

  /**
   * Searches; between the steps the caller may do something else. The image must stay until the last one. Only one
   * search at a time.
   */
  *run(image: Plane): Generator<void, CascadeHits> {
    const side = this.#side;
    const scratch = 2048 + 5 * (this.width + 64);
    const found: number[] = [];
    let evaluated = 0;
    let integralsOf = '';
    for (const place of this.#scales) {
      const { scale, width, height, step, columns, rows } = place;
      const split = step === 2;
      const key = `${width} ${height} ${split}`;
      if (key !== integralsOf) {
        const same = width === image.width && height === image.height;
        const reduced = same ? image : resizeExact(side, image, width, height);
        try {
          this.#integrals(reduced, split);
        } finally {
          if (!same) reduced.dispose();
        }
        integralsOf = key;
        yield;
      }
      const table = this.#table(scale, split);
      const [sums, squares] = split ? [this.#splitAddress(0), this.#splitAddress(1)] : [this.#sums, this.#squares];
      const skip = this.#options.scaling === 'image' ? 1 : 0;
      const chunk = Math.max(1, Math.floor(STEP / columns));
      for (let y = 0; y < rows; y += chunk) {
        const count = Math.min(chunk, rows - y);
        const from = y * step * this.#stride;
        const at = [sums! + from, squares! + from, this.#stride, table, this.#hits + y * this.#hitStride];
        const rest = [this.#hitStride, this.#counts + 4 * y, columns, step, skip];
        side.bands('cascadeRows', count, [...at, ...rest], { scratch, minimumBand: 4 });
        if (y + count < rows) yield;
      }
      evaluated += columns * rows;
      this.#collect(found, place);
      if (found.length > 4 * MOST_WINDOWS) break;
      yield;
    }
    return { windows: Int32Array.from(found), evaluated };
  }

  #collect(found: number[], scale: Scale): void {
    const { u8, i32 } = this.#side.arena;
    for (let y = 0; y < scale.rows; y++) {
      if (i32[(this.#counts >> 2) + y] === 0) continue;
      const row = this.#hits + y * this.#hitStride;
      for (let x = 0; x < scale.columns; x++)
        if (u8[row + x]) found.push(...windowOf(scale, this.#options.scaling, x, y));
    }
  }

  dispose(): void {
    for (const address of this.#blocks.splice(0)) this.#side.arena.free(address);
    this.#tables.clear();
  }
}
