/**
 * The windows of a grid as the kernels read them, laid out once per target and frame size: scan-line pairs (windows of
 * one scale on one pair of rows), and batches of pairs with about equal numbers of windows, which are what threads and
 * passes take (Gurcan and Temizel 2015, section 4.1). Records: assembly/objects/windows.ts.
 */
import type { Arena } from '../runtime/arena.ts';
import { windowNumber, type Grid } from './grid.ts';
import { WindowPairRecord, WindowScaleRecord } from '../runtime/records.ts';

const PAIR_WORDS = WindowPairRecord.bytes / 4;
const SCALE_WORDS = WindowScaleRecord.bytes / 4;
/** Windows of a batch: enough to hide the start of a job, few enough to spread over the threads. */
const BATCH = 2048;

export class Windows {
  readonly grid: Grid;
  readonly pairs: number;
  readonly batches: number;
  readonly scales: number;
  readonly pairCount: number;
  readonly batchCount: number;
  /** First pair of every batch, and the number of pairs at the end. */
  readonly starts: readonly number[];
  /** Windows of the largest batch. */
  readonly widest: number;
  readonly #arena: Arena;
  readonly #block: number;
  /** Scale and row of every pair, and the number of windows before it. */
  readonly #rowOf: number[] = [];
  readonly #scaleOf: number[] = [];
  readonly #firstOf: number[] = [0];

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

    const edgeCount = scales.reduce((n, { lefts, tops }) => n + lefts.length + tops.length, 0);
    const words = PAIR_WORDS * this.pairCount + SCALE_WORDS * scales.length + starts.length + edgeCount;
    this.#block = arena.allocate(4 * words);
    let at = this.#block;
    const put = (list: ArrayLike<number>) => {
      arena.i32.set(list, at >> 2);
      return (at += 4 * list.length) - 4 * list.length;
    };
    this.batches = put(starts);
    const edges = scales.map(({ lefts, tops }) => ({ lefts: put(lefts), tops: put(tops) }));
    this.pairs = at;
    let first = 0;
    scales.forEach((scale, s) =>
      scale.tops.forEach((y, row) => {
        const { width, height, lefts } = scale;
        const number = windowNumber(grid, scale, 0, row);
        const step = windowNumber(grid, scale, 1, row) - number;
        put([y, width, height, edges[s]!.lefts, lefts.length, first, s, number, step]);
        this.#rowOf.push(row);
        this.#scaleOf.push(s);
        this.#firstOf.push((first += lefts.length));
      }),
    );
    this.scales = at;
    let firstPair = 0;
    scales.forEach(({ width, height, lefts, tops }, s) => {
      put([width, height, edges[s]!.lefts, lefts.length, edges[s]!.tops, tops.length, firstPair]);
      firstPair += tops.length;
    });
    this.widest = 0;
    for (let b = 0; b < this.batchCount; b++) this.widest = Math.max(this.widest, this.batchSize(b));
  }

  /** Windows of a batch. */
  batchSize(batch: number): number {
    return this.#firstOf[this.starts[batch + 1]!]! - this.#firstOf[this.starts[batch]!]!;
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

  dispose(): void {
    this.#arena.free(this.#block);
  }
}
