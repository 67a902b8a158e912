/**
 * The windows of a grid in the format of the kernels, laid out once per target and frame size. Windows of one scale on
 * one pair of rows are a scan-line pair. Batches of pairs have about equal numbers of windows, and are the unit of work
 * for threads and passes (Gurcan and Temizel 2015, section 4.1). Records: assembly/objects/windows.ts.
 */
import { WindowPairRecord, WindowScaleRecord } from '../runtime/wasm/records.ts';
import type { Scope } from '../runtime/scope.ts';

/**
 * The scanning grid: every position and scale that the detector checks (Kalal, Mikolajczyk, Matas 2012, section 5.3).
 *
 * 'paper': scales 1.2^k, k = -10..10, shifts of 10 % of the window's width and height, in the order scale, y, x.
 * 'release' is the rule of the program that was published with the paper: one fractional step of 10 % of the height on
 * both axes, starting at the second pixel, in the order scale, x, y.
 */
export type GridRule = 'paper' | 'release';

export interface GridScale {
  /** Exponent of 1.2. */
  readonly k: number;
  readonly width: number;
  readonly height: number;
  /** Left edges and top edges of the windows. */
  readonly lefts: Int32Array;
  readonly tops: Int32Array;
  /** Number of the scale's first window. */
  readonly first: number;
}

export interface Grid {
  readonly rule: GridRule;
  readonly scales: readonly GridScale[];
  readonly count: number;
}

const STEP = 1.2;
const SHIFT = 0.1;
const MOST_SCALES = 10;
/** Narrower windows contain too little information. */
const NARROWEST = 6;
/**
 * Minimum shift for windows under `minSize`. With one pixel, a frame would have several times the windows of a larger
 * target.
 */
const NARROW_SHIFT = 2;
const round = (v: number) => Math.floor(v + 0.5);

function edges(rule: GridRule, frame: number, window: number, step: number): Int32Array {
  const list: number[] = [];
  if (rule === 'paper') for (let at = 0; at + window <= frame; at += step) list.push(at);
  // 1-based in the published program: round(2 + i step) up to frame - window - 1.
  else for (let i = 0; 2 + i * step <= frame - window - 1; i++) list.push(round(2 + i * step) - 1);
  return Int32Array.from(list);
}

/**
 * Makes the grid of a target of `width` x `height` pixels in a frame. Windows with a side under `minSize` are left out.
 * With `small`, a target under `minSize` still has windows, starting one scale below its own. The published program
 * does not accept such targets.
 */
export function scanningGrid(
  rule: GridRule,
  target: { width: number; height: number },
  frame: { width: number; height: number },
  minSize: number,
  small = false,
): Grid {
  const own = Math.min(target.width, target.height);
  const least = small && round(own) < minSize ? Math.max(NARROWEST, round(own * STEP ** -1)) : minSize;
  const scales: GridScale[] = [];
  let count = 0;
  for (let k = -MOST_SCALES; k <= MOST_SCALES; k++) {
    const width = round(target.width * STEP ** k);
    const height = round(target.height * STEP ** k);
    const narrow = Math.min(width, height);
    if (narrow < least || width > frame.width || height > frame.height) continue;
    const shift = narrow < minSize ? NARROW_SHIFT : 0;
    const step = (side: number) =>
      Math.max(shift, rule === 'paper' ? Math.max(1, round(SHIFT * side)) : SHIFT * height);
    const lefts = edges(rule, frame.width, width, step(width));
    const tops = edges(rule, frame.height, height, step(height));
    if (!lefts.length || !tops.length) continue;
    scales.push({ k, width, height, lefts, tops, first: count });
    count += lefts.length * tops.length;
  }
  return { rule, scales, count };
}

/** Number of a window in the order of its rule. */
export function windowNumber(grid: Grid, scale: GridScale, column: number, row: number): number {
  return grid.rule === 'paper'
    ? scale.first + row * scale.lefts.length + column
    : scale.first + column * scale.tops.length + row;
}

/**
 * Maximum number of windows per batch. Larger batches would not reduce the start cost, and a slice of work would end
 * late.
 */
const MOST = 2048;
/**
 * Minimum number of windows per batch. A thread claims a batch in the time of about ten windows of the variance test.
 */
const LEAST = 256;
/** Number of batches for each thread. In some batches nearly all windows pass the variance test, in others few. */
const SHARE = 12;
/** A batch is a row of a texture, and every device supports this many rows. Batches are at least half full. */
const ROWS = 1024;

/**
 * Number of windows per batch, from the target's windows in frames of this size and the parallelism of this device
 * (Gurcan and Temizel 2015, algorithm 2). With a constant, 8 threads would get 10 batches at 480x270, and most of them
 * would wait while two process a second one.
 */
export const batchSize = (windows: number, threads: number): number =>
  Math.max(
    threads > 1 ? Math.min(MOST, Math.max(LEAST, Math.ceil(windows / (SHARE * threads)))) : MOST,
    Math.ceil(windows / ROWS),
  );

/** Assigns windows to batches. */
export class WindowLayout {
  readonly grid: Grid;
  /** Maximum number of windows in a batch that has more than one pair. */
  readonly batch: number;
  readonly pairCount: number;
  readonly batchCount: number;
  /** First pair of every batch, and the number of pairs at the end. */
  readonly starts: readonly number[];
  /** Number of windows in the largest batch. */
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

  /** Number of windows in a batch. */
  batchSize(batch: number): number {
    return this.#firstOf[this.starts[batch + 1]!]! - this.#firstOf[this.starts[batch]!]!;
  }

  /**
   * Returns the layout as texels of a texture of `widest` x `batchCount`, one batch per row: x, y, number of the scale,
   * 0. After the last window of a batch the scale is 0xffff.
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

/** Returns the layout of a grid for this number of threads, made once. */
export function layoutOf(grid: Grid, threads = 1): WindowLayout {
  let own = layouts.get(grid);
  if (!own) layouts.set(grid, (own = new Map<number, WindowLayout>()));
  let layout = own.get(threads);
  if (!layout) own.set(threads, (layout = new WindowLayout(grid, threads)));
  return layout;
}

/** Returns addresses of the kernels' records. Their memory belongs to the scope. */
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
