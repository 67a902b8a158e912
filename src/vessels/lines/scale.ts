/** A scale of the line response in its reduced plane, and the integer steps for a photograph. */
import { quantileBin } from '../../image/numbers.ts';
import type { Plane } from '../../runtime/plane.ts';
import type { Scope } from '../../runtime/scope.ts';
import type { Plan } from '../../runtime/wasm/kernel-step.ts';
import { HALVINGS, lineTermRows, termPlanes } from './maximum.ts';
import { lineTable } from './table.ts';

/**
 * Weight of a scale, from a sample of its response under the mask: signal divided by squared noise. Independent
 * measurements of one quantity are summed with this weight. The noise is the median absolute deviation from the median.
 * The signal is the distance of the vessels from the median.
 */

// These constants were chosen by hand with `npm run bench -- accuracy vessels`.

/** Samples along the longer side. */
const SAMPLES = 160;
/** Bins of 1/128 of the mean. */
const BINS = 1024;
const BINS_OF_MEAN = 128;

/** Samples are `step` pixels apart, the first at step / 2. */
export interface Grid {
  readonly step: number;
  readonly columns: number;
  readonly rows: number;
}

export function gridOf(width: number, height: number): Grid {
  const step = Math.max(1, Math.floor(Math.max(width, height) / SAMPLES));
  const along = (length: number) => Math.max(0, Math.ceil((length - (step >> 1)) / step));
  return { step, columns: along(width), rows: along(height) };
}

/** The samples of a plane of 16-bit integers in the arena. */
export function samplesOf(scope: Scope, { address, stride }: Plane, { step, columns, rows }: Grid): Int16Array {
  const i16 = new Int16Array(scope.arena.memory.buffer);
  const out = new Int16Array(columns * rows);
  for (let y = 0, k = 0; y < rows; y++) {
    const row = ((address + ((step >> 1) + y * step) * stride) >> 1) + (step >> 1);
    for (let x = 0; x < columns; x++) out[k++] = i16[row + x * step]!;
  }
  return out;
}

/** Quantile of the field that counts as the signal. Vessels cover more than the rest. */
const SIGNAL = 0.95;

/** Weight from samples of a plane whose pixels are `block` x `block` pixels of the mask. Overwrites the samples. */
export function weightOf(
  scope: Scope,
  samples: Int16Array,
  { step, columns, rows }: Grid,
  mask: Plane,
  block: number,
): number {
  const { u8 } = scope.arena;
  const place = (i: number, limit: number) => Math.min(limit - 1, ((step >> 1) + i * step) * block + (block >> 1));
  let [total, sum] = [0, 0];
  for (let y = 0, k = 0; y < rows; y++) {
    const line = mask.address + place(y, mask.height) * mask.stride;
    for (let x = 0; x < columns; x++, k++) {
      if (!u8[line + place(x, mask.width)]) continue;
      const v = samples[k]!;
      samples[total++] = v;
      sum += v;
    }
  }
  if (!(sum > 0)) return 0;
  const scale = (BINS_OF_MEAN * total) / sum;
  const counts = new Uint32Array(BINS);
  for (let i = 0; i < total; i++) counts[Math.min(BINS - 1, Math.floor(samples[i]! * scale))]!++;
  const median = quantileBin(counts, total, 0.5);
  const deviations = new Uint32Array(BINS);
  for (let i = 0; i < BINS; i++) deviations[Math.abs(i - median)]! += counts[i]!;
  const noise = quantileBin(deviations, total, 0.5) + 0.5;
  const signal = Math.max(0.5, quantileBin(counts, total, SIGNAL) - median);
  return (scale * signal) / (noise * noise);
}

/** Maximum number of scales in one response. */
export const MOST_SCALES = 5;

export interface LineScale {
  /** Both in working pixels. */
  readonly sigma: number;
  readonly length: number;
}

export interface ReducedScale extends LineScale {
  /** Number of pyramid levels. */
  readonly halvings: number;
}

// These constants were chosen for speed, with `npm run lab -- speed vessels`. The results of `npm run bench -- accuracy vessels`
// changed by less than 0.003.

/** Standard deviation in pixels below which a scale is not reduced further. */
const SMALLEST = 1.5;
/** Number of rows used to estimate the size of the derivatives. */
const ROWS = 10;
/**
 * Quantile of the derivatives that counts as typical, and how many times it fits into the integers. Larger values are
 * clipped.
 */
const TYPICAL = 0.995;
const HEADROOM = 4;

export function reducedScale({ sigma, length }: LineScale): ReducedScale {
  // Means over blocks also smooth.
  const at = (halvings: number) => {
    const block = 2 ** halvings;
    return Math.sqrt(Math.max(0, sigma * sigma - (block * block - 1) / 12)) / block;
  };
  let halvings = 0;
  while (halvings < HALVINGS && at(halvings + 1) >= SMALLEST) halvings++;
  return { halvings, sigma: Math.max(0.3, at(halvings)), length: length / 2 ** halvings };
}

/**
 * Integer steps for a second difference of 1, as fine as 16 bits allow. Computed from a few rows of the plane, always
 * on the CPU (WASM), so that both backends use equal steps.
 */
export function* integerScale(scope: Scope, source: Plane, { sigma, length }: LineScale): Plan<number> {
  const { width, height } = source;
  const coarse = 256 / Math.min(2, 0.5 / (sigma * sigma));
  const rows = Math.min(ROWS, height);
  const sizes = new Int32Array(rows * width);
  let count = 0;
  yield* scope.part(function* (inner) {
    const planes = termPlanes(inner, width, 1);
    for (let k = 0; k < rows; k++) {
      const y = Math.floor(((k + 0.5) * height) / rows);
      yield* lineTermRows(inner, source, { sigma, scale: coarse }, planes, [y, y + 1]);
      const i16 = new Int16Array(scope.arena.memory.buffer);
      const [m, f, d] = planes.map(({ address }) => address >> 1) as [number, number, number];
      for (let x = 0; x < width; x++) {
        const size = Math.abs(i16[m + x]!) + Math.abs(i16[f + x]!) + Math.abs(i16[d + x]!);
        if (size > 0) sizes[count++] = size;
      }
    }
  });
  if (!count) return 1;
  const sorted = sizes.subarray(0, count).sort();
  const largest = sorted.at(-1)!;
  const range = Math.max(HEADROOM * sorted[Math.floor(TYPICAL * (count - 1))]!, largest / HEADROOM);
  return Math.min(32767, Math.max(1, (coarse * lineTable(sigma, length).limit) / range));
}
