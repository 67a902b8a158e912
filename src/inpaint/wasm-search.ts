/**
 * The search of the WASM side: all patches of the source region (the pixels that were known from the beginning, as
 * published) against the known pixels of one patch. See assembly/inpaint/search.ts for how it rejects most of them.
 */
import type { Plane } from '../runtime/plane.ts';
import type { WasmSide } from '../runtime/wasm-side.ts';
import { blockSide } from './layout.ts';
import type { WasmBuffers } from './wasm-buffers.ts';

/** First pixel of a patch of the source, and the sum of squared differences of R, G and B. */
export interface Match {
  readonly x: number;
  readonly y: number;
  readonly ssd: number;
}

/** The patch at hand, clipped to the image. */
export interface Target {
  readonly x: number;
  readonly y: number;
  readonly columns: number;
  readonly rows: number;
}

/** Candidates: columns x0..x1-1, rows y0..y1-1. */
interface Range {
  x0: number;
  x1: number;
  y0: number;
  y1: number;
}

/** A row of the search's answer: none. */
const NONE = 0xffffffff;
const BEST_BYTES = 8;

export class WasmSearch {
  readonly #side: WasmSide;
  readonly #buffers: WasmBuffers;
  readonly #source: Plane;
  readonly #patch: number;
  readonly #nearness: boolean;
  readonly #sums: number;
  readonly #best: number;
  /** Rows of one call, so that it takes about `CALL` milliseconds. */
  #rows: number;

  constructor(side: WasmSide, buffers: WasmBuffers, source: Plane, patch: number, nearness: boolean) {
    this.#side = side;
    this.#buffers = buffers;
    this.#source = source;
    this.#patch = patch;
    this.#nearness = nearness;
    const { width, height, sumsStride } = buffers;
    // Reads of eight candidates run up to a patch past the last row.
    this.#sums = buffers.allocate(sumsStride * height + 8 * (patch + 8));
    this.#best = buffers.allocate(BEST_BYTES * height);
    this.#rows = Math.max(8, Math.ceil(65536 / width));
    this.#setMean();
  }

  /** Makes the block sums; before the first search. Yields every few milliseconds. */
  *prepare(): Generator<void> {
    const { width, height, stride, sumsStride } = this.#buffers;
    for (const [y, rows] of this.#buffers.pieces()) {
      const planes = [this.#source.address + y * stride, stride, this.#sums + y * sumsStride, sumsStride];
      this.#side.bands('inpaintBlockSums', rows, [...planes, width, height - y, this.side]);
      yield;
    }
  }

  get side(): number {
    return blockSide(this.#patch);
  }

  /** Mean colour of some known pixels: only the order of the blocks depends on it. */
  #setMean(): void {
    const { width, height, byteStride, stride, hole, mean } = this.#buffers;
    const { u8, i32 } = this.#side.arena;
    const step = Math.max(1, Math.floor((width * height) / 4096));
    const sum = [0, 0, 0];
    let count = 0;
    for (let i = 0; i < width * height; i += step) {
      const [x, y] = [i % width, Math.floor(i / width)];
      if (u8[hole + y * byteStride + x]) continue;
      for (let c = 0; c < 3; c++) sum[c]! += u8[this.#source.address + y * stride + 4 * x + c]!;
      count++;
    }
    i32.set(
      sum.map((v) => Math.round(v / Math.max(1, count))),
      mean >> 2,
    );
  }

  /** Reads the patch around (x, y) from the picture so far. */
  setTarget(image: number, hole: number, x: number, y: number): Target {
    const { stride, byteStride, sumsStride, width, height, record, mean } = this.#buffers;
    const half = this.#patch >> 1;
    const where = [width, height, half, this.side, x, y, Number(this.#nearness)];
    this.#side.once('inpaintTarget', [image, stride, hole, byteStride, sumsStride, ...where, mean, record], 1024);
    const [left, top, columns, rows] = this.#side.arena.i32.subarray(record >> 2, (record >> 2) + 4);
    const target = { x: left!, y: top!, columns: columns!, rows: rows! };
    this.#buffers.setValid(target.columns, target.rows);
    return target;
  }

  /** Where matches of the target may lie: in a square of `window` around it, everywhere when that is 0. */
  range(target: Target, window: number): Range {
    const { width, height } = this.#buffers;
    const reach = window ? window >> 1 : width + height;
    return {
      x0: Math.max(0, target.x - reach),
      x1: Math.min(width - target.columns + 1, target.x + reach + 1),
      y0: Math.max(0, target.y - reach),
      y1: Math.min(height - target.rows + 1, target.y + reach + 1),
    };
  }

  /** A first bound from what the neighbours were filled with. */
  bound(origin: number, range: Range): void {
    const { stride, byteStride, valid, width, box, record } = this.#buffers;
    const { x0, x1, y0, y1 } = range;
    const where = [origin, box.x, box.y, box.width, box.height, x0, x1, y0, y1, record];
    this.#side.once('inpaintBound', [this.#source.address, stride, valid, byteStride, width, ...where]);
  }

  /** One call of the search from row y on: how many rows it did, and the best of them if it beats the bound. */
  some(range: Range, y: number, rows: number): Match | null {
    const { stride, byteStride, valid, sumsStride, record } = this.#buffers;
    const planes = [this.#source.address, stride, this.#sums, sumsStride, valid, byteStride];
    // As many hands as the pool makes bands.
    const hands = this.#side.threads > 1 ? 2 * this.#side.threads : 1;
    const where = [record, this.#best, y, rows, hands, range.x0, range.x1];
    this.#side.bands('inpaintSearch', Math.ceil(rows / hands) * hands, [...planes, ...where], { minimumBand: 8 });
    const { i32 } = this.#side.arena;
    let match: Match | null = null;
    let least = i32[(record >> 2) + 7]! >>> 0;
    for (let row = 0, at = this.#best >> 2; row < rows; row++, at += 2) {
      const ssd = i32[at]! >>> 0;
      if (ssd === NONE || ssd >= least) continue;
      least = ssd;
      match = { x: i32[at + 1]!, y: y + row, ssd };
    }
    i32[(record >> 2) + 7] = least;
    return match;
  }

  /** All of the range in calls of a few milliseconds; `slice` gives the thread back in between. */
  async all(range: Range, slice: () => Promise<void>): Promise<Match | null> {
    let match: Match | null = null;
    for (let y = range.y0; y < range.y1;) {
      const rows = Math.min(this.#rows, range.y1 - y);
      const start = performance.now();
      match = this.some(range, y, rows) ?? match;
      const took = performance.now() - start;
      y += rows;
      if (rows === this.#rows && took > 0) this.#adapt(took);
      await slice();
    }
    return match;
  }

  #adapt(took: number): void {
    const wanted = (this.#rows * CALL) / took;
    this.#rows = Math.max(8, Math.round(Math.min(wanted, 2 * this.#rows)));
  }
}

/** Milliseconds of one call: a slice of 8 has room for some. */
const CALL = 2;
