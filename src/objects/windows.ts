/**
 * The windows of a grid as the kernels read them, laid out once per target and frame size: scan-line pairs (windows of
 * one scale on one pair of rows), and batches of pairs with about equal numbers of windows, which are what threads and
 * passes take (Gurcan and Temizel 2015, section 4.1). Records: assembly/objects/windows.ts.
 */
import { WindowPairRecord, WindowScaleRecord } from '../runtime/wasm/records.ts';
import type { Scope } from '../runtime/scope.ts';
import { windowNumber, type Grid } from './grid.ts';

/** Most windows of a batch: more would not cost less to start, and a slice of work would end late. */
const MOST = 2048;
/** Fewest: claiming a batch takes a thread as long as some ten windows of the variance test. */
const LEAST = 256;
/** Batches that each thread finds: nearly all windows of some pass the variance test, few of others. */
const SHARE = 12;
/** A batch is a row of a texture, and so many rows any device has: batches are filled at least half. */
const ROWS = 1024;

/**
 * Windows of a batch, from what the target has of them in frames of this size and what this device computes side by side
 * (Gurcan and Temizel 2015, algorithm 2): with a constant 8 threads find 10 batches at 480x270, and most of them wait
 * while two take a second one.
 */
export const batchSize = (windows: number, threads: number): number =>
  Math.max(
    threads > 1 ? Math.min(MOST, Math.max(LEAST, Math.ceil(windows / (SHARE * threads)))) : MOST,
    Math.ceil(windows / ROWS),
  );

/** Which windows are in which batch. */
export class WindowLayout {
  readonly grid: Grid;
  /** Windows that a batch holds at most, where it has more than one pair. */
  readonly batch: number;
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

  constructor(grid: Grid, threads = 1) {
    this.grid = grid;
    this.batch = batchSize(grid.count, threads);
    const starts = [0];
    let held = 0;
    let first = 0;
    grid.scales.forEach(({ lefts, tops }, s) => {
      for (let row = 0; row < tops.length; row++) {
        if (held && held + lefts.length > this.batch) {
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

const layouts = new WeakMap<Grid, Map<number, WindowLayout>>();

/** The layout of a grid for so many threads, made once. */
export function layoutOf(grid: Grid, threads = 1): WindowLayout {
  let own = layouts.get(grid);
  if (!own) layouts.set(grid, (own = new Map<number, WindowLayout>()));
  let layout = own.get(threads);
  if (!layout) own.set(threads, (layout = new WindowLayout(grid, threads)));
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
