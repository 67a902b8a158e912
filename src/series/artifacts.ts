/**
 * Samples that are no pupil: beside gaps, faster than a pupil, alone between gaps (Kret and Sjak-Shie, Behav Res 51,
 * 2019, filters of edges, dilation speed and sparsity). Each takes the marks `valid` and sets those to 0 that it rejects;
 * it returns how many.
 */
import { median } from '../image/numbers.ts';

/** Indices that are still valid. */
const validOnes = (valid: Uint8Array): number[] => Array.from(valid.keys()).filter((i) => valid[i]);

/**
 * Samples within a margin of a gap. Only gaps with samples inside count, where something lay over the pupil: a camera that
 * dropped frames covered nothing.
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
    // From the last sample before the gap back, and from the first one after it on.
    const [start, end] = [timestamp[from]!, timestamp[to]!];
    for (let i = k - 1; i >= 0 && start - timestamp[kept[i]!]! < before; i--) out.add(kept[i]!);
    for (let i = k; i < kept.length && timestamp[kept[i]!]! - end < after; i++) out.add(kept[i]!);
  }
  for (const i of out) valid[i] = 0;
  return out.size;
}

/**
 * Samples whose change to or from a neighbor is faster than median + factor * MAD of all. `least`: a speed, share of the
 * median diameter a second, that is always allowed.
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
  const middle = median(speed);
  const deviation = median(speed.map((value) => Math.abs(value - middle)));
  const floor = (least / 1000) * median(kept.map((i) => diameter[i]!));
  const threshold = Math.max(middle + factor * deviation, floor);
  let count = 0;
  kept.forEach((i, k) => {
    if (!(speed[k]! > threshold)) return;
    valid[i] = 0;
    count++;
  });
  return count;
}

/** Runs of samples that are shorter than `shortest`, with gaps longer than `gap` (or the series' end) on both sides. */
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
