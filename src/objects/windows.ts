/**
 * The windows of a grid as the kernels read them, laid out once per target and frame size: scan-line pairs (windows of
 * one scale on one pair of rows), and batches of pairs with about equal numbers of windows, which are what threads and
 * passes take (Gurcan and Temizel 2015, section 4.1). Records: assembly/objects/layout.ts.
 */
import type { Box } from '../results/types.ts';
import type { Arena } from '../runtime/arena.ts';
import { windowNumber, type Grid, type GridScale } from './grid.ts';

const PAIR_WORDS = 8;
/** Windows of a batch: enough to hide the start of a job, few enough to spread over the threads. */
const BATCH = 2048;

export class Windows {
  readonly grid: Grid;
  readonly pairs: number;
  readonly batches: number;
  readonly pairCount: number;
  readonly batchCount: number;
  /** First pair of every batch, and the number of pairs at the end. */
  readonly starts: readonly number[];
  /** Windows of the largest batch. */
  readonly widest: number;
  readonly #arena: Arena;
  readonly #block: number;
  /** Scale and row of every pair, and the number of windows before it. */
  readonly #rowOf: Int32Array;
  readonly #scaleOf: Int32Array;
  readonly #firstOf: Int32Array;

  constructor(arena: Arena, grid: Grid) {
    this.#arena = arena;
    this.grid = grid;
    const { scales } = grid;
    this.pairCount = scales.reduce((n, { tops }) => n + tops.length, 0);
    const starts = [0];
    let held = 0;
    let pair = 0;
    for (const { lefts, tops } of scales)
      for (let r = 0; r < tops.length; r++, pair++) {
        if (held && held + lefts.length > BATCH) {
          starts.push(pair);
          held = 0;
        }
        held += lefts.length;
      }
    starts.push(this.pairCount);
    this.starts = starts;
    this.batchCount = starts.length - 1;

    const edges = scales.reduce((n, { lefts }) => n + lefts.length, 0);
    this.#block = arena.allocate(4 * (PAIR_WORDS * this.pairCount + edges + starts.length));
    this.pairs = this.#block;
    const lefts = this.#block + 4 * PAIR_WORDS * this.pairCount;
    this.batches = lefts + 4 * edges;
    this.#rowOf = new Int32Array(this.pairCount);
    this.#scaleOf = new Int32Array(this.pairCount);
    this.#firstOf = new Int32Array(this.pairCount + 1);
    const words = arena.i32;
    words.set(starts, this.batches >> 2);
    let at = this.pairs >> 2;
    let edge = lefts;
    let first = 0;
    pair = 0;
    scales.forEach((scale, s) => {
      words.set(scale.lefts, edge >> 2);
      scale.tops.forEach((y, row) => {
        words.set([y, scale.width, scale.height, edge, scale.lefts.length, first, s, 0], at);
        this.#rowOf[pair] = row;
        this.#scaleOf[pair++] = s;
        at += PAIR_WORDS;
        this.#firstOf[pair] = first += scale.lefts.length;
      });
      edge += 4 * scale.lefts.length;
    });
    this.widest = 0;
    for (let b = 0; b < this.batchCount; b++) this.widest = Math.max(this.widest, this.batchSize(b));
  }

  /** Windows of a batch. */
  batchSize(batch: number): number {
    return this.#firstOf[this.starts[batch + 1]!]! - this.#firstOf[this.starts[batch]!]!;
  }

  /** The window at a place within a batch: its pair and its number within that. */
  place(batch: number, at: number): { pair: number; column: number } {
    const wanted = this.#firstOf[this.starts[batch]!]! + at;
    let pair = this.starts[batch]!;
    for (let high = this.starts[batch + 1]!; high - pair > 1;) {
      const middle = (pair + high) >> 1;
      if (this.#firstOf[middle]! <= wanted) pair = middle;
      else high = middle;
    }
    return { pair, column: wanted - this.#firstOf[pair]! };
  }

  /**
   * The layout as texels of a texture `widest` x `batchCount`, a batch a row: x, y, number of the scale, 0; behind the
   * last window of a batch the scale is 0xffff.
   */
  texels(): Uint16Array {
    const out = new Uint16Array(4 * this.widest * this.batchCount).fill(0xffff);
    for (let b = 0; b < this.batchCount; b++) {
      let at = 4 * this.widest * b;
      for (let pair = this.starts[b]!; pair < this.starts[b + 1]!; pair++) {
        const s = this.#scaleOf[pair]!;
        const { lefts, tops } = this.grid.scales[s]!;
        const y = tops[this.#rowOf[pair]!]!;
        for (const x of lefts) {
          out[at++] = x;
          out[at++] = y;
          out[at++] = s;
          out[at++] = 0;
        }
      }
    }
    return out;
  }

  /** The window `column` of a pair: its box and its number in the grid's own order. */
  window(pair: number, column: number): Box & { number: number } {
    const scale = this.grid.scales[this.#scaleOf[pair]!]!;
    const row = this.#rowOf[pair]!;
    return {
      x: scale.lefts[column]!,
      y: scale.tops[row]!,
      width: scale.width,
      height: scale.height,
      number: windowNumber(this.grid, scale, column, row),
    };
  }

  dispose(): void {
    this.#arena.free(this.#block);
  }
}

/** Numbers i.. of sorted edges that lie in [from, to]. */
function* between(edges: Int32Array, from: number, to: number): Generator<number> {
  let i = 0;
  for (let high = edges.length; i < high;) {
    const middle = (i + high) >> 1;
    if (edges[middle]! < from) i = middle + 1;
    else high = middle;
  }
  for (; i < edges.length && edges[i]! <= to; i++) yield i;
}

/** The windows that overlap `box` by more than `least` (> 0.5), the best first; ties in the grid's order. */
export function closestWindows(
  grid: Grid,
  box: Box,
  least: number,
  most: number,
): (Box & { overlap: number; number: number; scale: GridScale })[] {
  const found: (Box & { overlap: number; number: number; scale: GridScale })[] = [];
  for (const scale of grid.scales) {
    const { width, height } = scale;
    const areas = (width * height) / (box.width * box.height);
    if (Math.min(areas, 1 / areas) < least) continue;
    // With an overlap above `least` at most the share 1 - least of either window sticks out.
    const spareX = (1 - least) * Math.max(width, box.width) + 1;
    const spareY = (1 - least) * Math.max(height, box.height) + 1;
    for (const row of between(scale.tops, box.y - spareY, box.y + box.height - height + spareY))
      for (const column of between(scale.lefts, box.x - spareX, box.x + box.width - width + spareX)) {
        const x = scale.lefts[column]!;
        const y = scale.tops[row]!;
        const w = Math.min(x + width, box.x + box.width) - Math.max(x, box.x);
        const h = Math.min(y + height, box.y + box.height) - Math.max(y, box.y);
        if (!(w > 0 && h > 0)) continue;
        const overlap = (w * h) / (width * height + box.width * box.height - w * h);
        if (overlap > least)
          found.push({ x, y, width, height, overlap, number: windowNumber(grid, scale, column, row), scale });
      }
  }
  found.sort((a, b) => b.overlap - a.overlap || a.number - b.number);
  return found.slice(0, most);
}
