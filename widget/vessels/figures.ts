/** Numbers of a result: the median width, the rows of a recording, and the segment at a point. */
import { type VesselSegment, clocks, type Column, type FrameTiming, type VesselResult } from '../../src/index.ts';
import { backendCell, backendColumn } from '../../src/internal.ts';
import type { VesselFrame } from './tracker.ts';

// Finds the vessel segment at a point, with a grid of cells over the centerlines.

interface SegmentHit {
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

/**
 * Returns the result with other parts. Spreading it would compute its response at every pixel, since that is a lazy
 * getter.
 */
export function changed<R extends object, P extends object>(result: R, parts: P): R & P {
  return Object.assign(Object.defineProperties({}, Object.getOwnPropertyDescriptors(result)) as R, parts);
}

/** Every measured point of a centerline has the same weight. */
export function medianWidth(segments: readonly VesselSegment[]): number | null {
  const all = new Float32Array(segments.reduce((sum, { widths }) => sum + widths.length, 0));
  let at = 0;
  for (const { widths } of segments) for (const width of widths) if (!Number.isNaN(width)) all[at++] = width;
  if (!at) return null;
  all.subarray(0, at).sort();
  return at % 2 ? all[(at - 1) / 2]! : (all[at / 2 - 1]! + all[at / 2]!) / 2;
}

/** Applies this scale to the result, with lengths in micrometers. Null: lengths are only in pixels. */
export function scaled<R extends VesselResult>(result: R, micrometresPerPixel: number | null): R {
  const known = result.scale?.micrometresPerPixel === micrometresPerPixel;
  const scale = known ? result.scale : micrometresPerPixel ? { micrometresPerPixel, from: 'option' as const } : null;
  if (!result.segments) return changed(result, { scale });
  const segments = result.segments.map(({ points, widths, width, length }): VesselSegment => {
    const known = width !== undefined;
    const segment = { points, widths, ...(known && { width }), length };
    if (!micrometresPerPixel) return segment;
    return {
      ...segment,
      ...(known && { widthMicrometres: width * micrometresPerPixel }),
      lengthMicrometres: length * micrometresPerPixel,
    };
  });
  return changed(result, { segments, scale });
}

export const vesselColumns: readonly Column[] = [
  { name: 'frame', type: 'number' },
  { name: 'timestamp', type: 'number', digits: 3, unit: 'ms' },
  { name: 'clock', type: 'choice', values: clocks },
  { name: 'mediaTime', type: 'number', digits: 3, unit: 'ms' },
  { name: 'fraction', type: 'number', digits: 5 },
  { name: 'medianWidth', type: 'number', digits: 2, unit: 'px' },
  { name: 'branchPoints', type: 'number' },
  { name: 'segments', type: 'number' },
  { name: 'confidence', type: 'number', digits: 3 },
  { name: 'dropped', type: 'number' },
  { name: 'throttled', type: 'number' },
  backendColumn,
];

export function vesselRows(result: VesselFrame, timing: FrameTiming): number[][] {
  const { frame, timestamp, clock, mediaTime, dropped, throttled } = timing;
  const { fraction, segments, branchPoints, confidence } = result;
  const width = (segments && medianWidth(segments)) ?? NaN;
  const own = [fraction, width, branchPoints?.length ?? NaN, segments?.length ?? NaN, confidence];
  return [
    [frame, timestamp, clocks.indexOf(clock), mediaTime, ...own, dropped, throttled, backendCell(result.backend)],
  ];
}
