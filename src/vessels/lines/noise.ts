/**
 * Weight of a scale, from a sample of its response under the mask: signal divided by squared noise. Independent
 * measurements of one quantity are summed with this weight. The noise is the median absolute deviation from the median.
 * The signal is the distance of the vessels from the median.
 */
import { quantileBin } from '../../image/numbers.ts';
import type { Plane } from '../../runtime/plane.ts';
import type { Scope } from '../../runtime/scope.ts';

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
