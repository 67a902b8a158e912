/** Finds the vessel segment at a point, with a grid of cells over the centerlines. */
import type { VesselSegment } from '../../src/index.ts';

export interface SegmentHit {
  /** Index of the segment, and of the nearest point of its centerline. */
  segment: number;
  point: number;
}

const cell = 24;

export class SegmentIndex {
  readonly #segments: readonly VesselSegment[];
  readonly #columns: number;
  readonly #rows: number;
  /** First entry of each cell, and the next entry of each entry. -1 marks the end. */
  readonly #first: Int32Array;
  readonly #next: Int32Array;
  readonly #segmentOf: Int32Array;
  readonly #pointOf: Int32Array;

  constructor(segments: readonly VesselSegment[], width: number, height: number) {
    this.#segments = segments;
    this.#columns = Math.max(1, Math.ceil(width / cell));
    this.#rows = Math.max(1, Math.ceil(height / cell));
    const count = segments.reduce((sum, { points }) => sum + points.length / 2, 0);
    this.#first = new Int32Array(this.#columns * this.#rows).fill(-1);
    this.#next = new Int32Array(count);
    this.#segmentOf = new Int32Array(count);
    this.#pointOf = new Int32Array(count);
    let entry = 0;
    for (const [s, { points }] of segments.entries())
      for (let k = 0; k < points.length; k += 2) {
        const at = this.#cellAt(points[k]!, points[k + 1]!);
        this.#next[entry] = this.#first[at]!;
        this.#first[at] = entry;
        this.#segmentOf[entry] = s;
        this.#pointOf[entry++] = k / 2;
      }
  }

  /** Nearest centerline within `reach` pixels. Null if none exists. */
  nearest(x: number, y: number, reach: number): SegmentHit | null {
    let best: SegmentHit | null = null;
    let least = Infinity;
    const [left, right] = [this.#column(x - reach), this.#column(x + reach)];
    const [top, bottom] = [this.#row(y - reach), this.#row(y + reach)];
    for (let row = top; row <= bottom; row++)
      for (let column = left; column <= right; column++)
        for (let e = this.#first[row * this.#columns + column]!; e >= 0; e = this.#next[e]!) {
          const segment = this.#segmentOf[e]!;
          const point = this.#pointOf[e]!;
          const { points } = this.#segments[segment]!;
          const distance = Math.hypot(points[2 * point]! - x, points[2 * point + 1]! - y);
          if (distance > reach || distance >= least) continue;
          least = distance;
          best = { segment, point };
        }
    return best;
  }

  #column(x: number): number {
    return Math.max(0, Math.min(this.#columns - 1, Math.floor(x / cell)));
  }

  #row(y: number): number {
    return Math.max(0, Math.min(this.#rows - 1, Math.floor(y / cell)));
  }

  #cellAt(x: number, y: number): number {
    return this.#row(y) * this.#columns + this.#column(x);
  }
}
