/**
 * Rejects samples that are not a pupil: next to gaps, with impossible speed, isolated between gaps, or off the trend.
 * The filters of edges, dilation speed, sparsity and trend-line deviation follow Kret and Sjak-Shie, Behav Res 51,
 * 2019. Each function sets the flags in `valid` of rejected samples to 0 and returns their number.
 */
import { median } from '../image/numbers.ts';
import { interpolate, highestCutoff, lowPass } from './interpolation.ts';

/** Indices that are still valid. */
const validOnes = (valid: Uint8Array): number[] => Array.from(valid.keys()).filter((i) => valid[i]);

/**
 * Rejects samples within a margin of a gap. Only gaps that contain samples count, because there an object covered the
 * pupil. Frames dropped by a camera do not mean that it was covered.
 */
export function rejectMargins(
  timestamp: Float64Array,
  valid: Uint8Array,
  { before, after, longerThan }: { before: number; after: number; longerThan: number },
): number {
  const kept = validOnes(valid);
  const out = new Set<number>();
  for (let k = 1; k < kept.length; k++) {
    const [from, to] = [kept[k - 1]!, kept[k]!];
    if (to - from < 2 || timestamp[to]! - timestamp[from]! <= longerThan) continue;
    // Backwards from the last sample before the gap, and forwards from the first one after it.
    const [start, end] = [timestamp[from]!, timestamp[to]!];
    for (let i = k - 1; i >= 0 && start - timestamp[kept[i]!]! < before; i--) out.add(kept[i]!);
    for (let i = k; i < kept.length && timestamp[kept[i]!]! - end < after; i++) out.add(kept[i]!);
  }
  for (const i of out) valid[i] = 0;
  return out.size;
}

/** Outlier threshold: median + factor * MAD of all values, but at least `floor`. */
function threshold(values: Float64Array | number[], factor: number, floor: number): number {
  const middle = median(values);
  return Math.max(middle + factor * median(values.map((value) => Math.abs(value - middle))), floor);
}

/** Rejects each sample of `kept` whose value is above the limit. Returns their number. */
function rejectAbove(valid: Uint8Array, kept: readonly number[], values: ArrayLike<number>, limit: number): number {
  const out = kept.filter((_, k) => values[k]! > limit);
  for (const i of out) valid[i] = 0;
  return out.length;
}

/**
 * Rejects samples whose change to or from a neighbor is faster than median + factor * MAD of all. `least`: a speed that
 * is always allowed, as a share of the median diameter per second.
 */
export function rejectFast(
  timestamp: Float64Array,
  diameter: Float64Array,
  valid: Uint8Array,
  { factor, least }: { factor: number; least: number },
): number {
  const kept = validOnes(valid);
  const speed = new Float64Array(kept.length);
  for (let k = 1; k < kept.length; k++) {
    const [a, b] = [kept[k - 1]!, kept[k]!];
    const step = timestamp[b]! - timestamp[a]!;
    const change = step > 0 ? Math.abs(diameter[b]! - diameter[a]!) / step : 0;
    speed[k - 1] = Math.max(speed[k - 1]!, change);
    speed[k] = change;
  }
  const floor = (least / 1000) * median(kept.map((i) => diameter[i]!));
  return rejectAbove(valid, kept, speed, threshold(speed, factor, floor));
}

/**
 * Rejects runs of samples shorter than `shortest`, with gaps longer than `gap` (or the end of the series) before and
 * after.
 */
export function rejectIslands(
  timestamp: Float64Array,
  valid: Uint8Array,
  { gap, shortest }: { gap: number; shortest: number },
): number {
  const kept = validOnes(valid);
  let count = 0;
  let first = 0;
  for (let k = 1; k <= kept.length; k++) {
    if (k < kept.length && timestamp[kept[k]!]! - timestamp[kept[k - 1]!]! <= gap) continue;
    const whole = first === 0 && k === kept.length; // no gap anywhere
    if (!whole && timestamp[kept[k - 1]!]! - timestamp[kept[first]!]! < shortest)
      for (let i = first; i < k; i++, count++) valid[kept[i]!] = 0;
    first = k;
  }
  return count;
}

/**
 * Parameters of the trend line: samples per second, cutoff in Hz, and number of passes, each without the samples
 * rejected so far.
 */
const TREND_RATE = 100;
const TREND_CUTOFF = 16;
const PASSES = 4;

/** The smoothed line through the samples `kept`, evaluated at these samples. */
function trendOf(
  timestamp: Float64Array,
  diameter: Float64Array,
  kept: readonly number[],
  cutoff: number,
): Float64Array {
  const t = kept.map((i) => timestamp[i]!);
  const values = kept.map((i) => diameter[i]!);
  const [start, end] = [t[0]!, t.at(-1)!];
  const count = Math.max(2, Math.ceil(((end - start) * TREND_RATE) / 1000) + 1);
  const grid = Float64Array.from({ length: count }, (_, i) => start + (i * (end - start)) / (count - 1));
  grid[count - 1] = end;
  const rate = (1000 * (count - 1)) / (end - start);
  return interpolate(grid, lowPass(interpolate(t, values, grid, 'linear'), cutoff, rate), timestamp, 'linear');
}

/**
 * Rejects samples farther from a smoothed line than median + factor * MAD of all. `least`: a share of the median
 * diameter that is always allowed. The line is computed again without the rejected samples, so that they no longer bend
 * it.
 */
export function rejectOffTrend(
  timestamp: Float64Array,
  diameter: Float64Array,
  valid: Uint8Array,
  { factor, least, rate }: { factor: number; least: number; rate: number },
): number {
  const cutoff = Math.min(TREND_CUTOFF, highestCutoff(Math.min(rate, TREND_RATE)));
  let count = 0;
  for (let pass = 0; pass < PASSES; pass++) {
    const kept = validOnes(valid);
    if (kept.length < 3) break;
    const trend = trendOf(timestamp, diameter, kept, cutoff);
    const away = kept.map((i) => Math.abs(diameter[i]! - trend[i]!));
    const floor = least * median(kept.map((i) => diameter[i]!));
    const rejected = rejectAbove(valid, kept, away, threshold(away, factor, floor));
    if (!rejected) break;
    count += rejected;
  }
  return count;
}
