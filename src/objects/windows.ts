/**
 * The windows of a grid as the kernels read them, laid out once per target and frame size: scan-line pairs (windows of
 * one scale on one pair of rows), and batches of pairs with about equal numbers of windows, which are what threads and
 * passes take (Gurcan and Temizel 2015, section 4.1). Records: assembly/objects/windows.ts.
 */
import { WindowPairRecord, WindowScaleRecord } from '../runtime/wasm/records.ts';
import type { Scope } from '../runtime/scope.ts';
import { windowNumber, type Grid } from './grid.ts';

/** Windows of a batch: enough to hide the start of a job, few enough to spread over the threads. */
export const BATCH = 2048;

/** Which windows are in which batch. */
export class WindowLayout {
  readonly grid: Grid;
  readonly pairCount: number;
  readonly batchCount: number;
  /** First pair of every batch, and the number of pairs at the end. */
  readonly starts: readonly number[];
  /** Windows of the largest batch. */
  readonly widest: number;
  /** Scale and row of every pair, and the number of windows before it. */
  readonly #rowOf: number[] = [];
  readonly #scaleOf: number[] = [];
  readonly #firstOf: number[] = [0];

  constructor(grid: Grid) {
    this.grid = grid;
    const starts = [0];
    let held = 0;
    let first = 0;
    grid.scales.forEach(({ lefts, tops }, s) => {
      for (let row = 0; row < tops.length; row++) {
        if (held && held + lefts.length > BATCH) {
          starts.push(this.#rowOf.length);
          held = 0;
        }
        held += lefts.length;
        this.#rowOf.push(row);
        this.#scaleOf.push(s);
        this.#firstOf.push((first += lefts.length));
      }
    });
    this.pairCount = this.#rowOf.length;
    starts.push(this.pairCount);
    this.starts = starts;
    this.batchCount = starts.length - 1;
    let widest = 0;
    for (let b = 0; b < this.batchCount; b++) widest = Math.max(widest, this.batchSize(b));
    this.widest = widest;
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
}

const layouts = new WeakMap<Grid, WindowLayout>();

/** The layout of a grid, made once. */
export function layoutOf(grid: Grid): WindowLayout {
  let layout = layouts.get(grid);
  if (!layout) layouts.set(grid, (layout = new WindowLayout(grid)));
  return layout;
}

/** Addresses of the kernels' records; the memory is the scope's. */
export function windowRecords(scope: Scope, layout: WindowLayout) {
  const { grid, pairCount, batchCount, starts, widest } = layout;
  const { scales } = grid;
  const edges = scales.map(({ lefts, tops }) => ({
    lefts: scope.table(lefts).address,
    tops: scope.table(tops).address,
  }));
  const pairs = scope.block(WindowPairRecord.bytes * pairCount).address;
  const records = scope.block(WindowScaleRecord.bytes * scales.length).address;
  let first = 0;
  let pair = 0;
  scales.forEach((scale, s) => {
    const { width, height, tops } = scale;
    const { lefts, tops: edgesDown } = edges[s]!;
    const count = scale.lefts.length;
    scope
      .view(WindowScaleRecord, records + WindowScaleRecord.bytes * s)
      .set({ width, height, lefts, leftCount: count, tops: edgesDown, topCount: tops.length, first: pair });
    tops.forEach((y, row) => {
      const number = windowNumber(grid, scale, 0, row);
      const step = windowNumber(grid, scale, 1, row) - number;
      scope
        .view(WindowPairRecord, pairs + WindowPairRecord.bytes * pair++)
        .set({ y, width, height, lefts, count, first, scale: s, number, step });
      first += count;
    });
  });
  const batches = scope.table(Int32Array.from(starts)).address;
  return { pairs, pairCount, batches, batchCount, scales: records, scaleCount: scales.length, widest };
}
