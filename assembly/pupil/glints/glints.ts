// Glints (corneal reflections of lamps) in a top-hat image, which contains structures brighter than their surroundings
// and narrower than the square: components above a threshold, small and compact, the brightest first. Cost: one pass
// over the window, and one more visit for each sample of a component.
import { Value } from '../../runtime/wasm/value';

/**
 * Maximum ratio of length to width of a component's box, and minimum share of the box that it fills. Gaps between
 * lashes fail this test.
 */
const LONGEST: i32 = 3;
const FILLED: f32 = 0.45;

/** Lamps have similar brightness. Anything below this share of the brightest is skin or a lash. */
const ALIKE: f32 = 0.5;

/** x, y, area, sum and maximum level of a glint as f32. The list has space for one more than it keeps. */
const ENTRY: usize = 20;

/** Inserts a glint among `count` sorted by their sums, of which `most` stay. Returns the new number. */
function insert(list: usize, count: i32, most: i32, x: f32, y: f32, area: f32, sum: f32, peak: f32): i32 {
  let at = list + <usize>count * ENTRY;
  for (; at > list && load<f32>(at - ENTRY, 12) < sum; at -= ENTRY) {
    memory.copy(at, at - ENTRY, ENTRY);
  }
  store<f32>(at, x);
  store<f32>(at, y, 4);
  store<f32>(at, area, 8);
  store<f32>(at, sum, 12);
  store<f32>(at, peak, 16);
  return min(count + 1, most);
}

/** Drops glints that are much less bright than the brightest. Returns the number that remain. */
function dropFaint(list: usize, count: i32): i32 {
  let brightest: f32 = 0;
  for (let i = 0; i < count; i++) brightest = max(brightest, load<f32>(list + <usize>i * ENTRY, 16));
  let kept = 0;
  for (let i = 0; i < count; i++) {
    const from = list + <usize>i * ENTRY;
    if (load<f32>(from, 16) < ALIKE * brightest) continue;
    memory.copy(list + <usize>kept * ENTRY, from, ENTRY);
    kept++;
  }
  return kept;
}

/**
 * Up to `most` glints within `reach` of (x, y): centers weighted by brightness, areas, sums, maximum levels. Samples of
 * components are at least `threshold`, and components have at most `largest` samples. `hat` is overwritten. `queue` has
 * space for one i32 per sample, `list` for most + 1 glints. Returns their number.
 */
export function glints(
  hat: usize,
  hatStride: i32,
  width: i32,
  height: i32,
  x: f32,
  y: f32,
  reach: f32,
  threshold: i32,
  largest: i32,
  most: i32,
  queue: usize,
  list: usize,
): Value {
  let count = 0;
  for (let v = 0; v < height; v++)
    for (let u = 0; u < width; u++) {
      const first = hat + <usize>(v * hatStride + u);
      if (<i32>load<u8>(first) < threshold) continue;
      let left = u;
      let right = u;
      let bottom = v;
      let weight: f32 = 0;
      let sumX: f32 = 0;
      let sumY: f32 = 0;
      let end = 1;
      store<i32>(queue, (v << 16) | u);
      let level = <f32>load<u8>(first);
      store<u8>(first, 0);
      let peak = level;
      weight += level;
      sumX += level * <f32>u;
      sumY += level * <f32>v;
      for (let next = 0; next < end; next++) {
        const place = load<i32>(queue + ((<usize>next) << 2));
        const px = place & 0xffff;
        const py = place >> 16;
        for (let ny = max(0, py - 1); ny <= min(height - 1, py + 1); ny++)
          for (let nx = max(0, px - 1); nx <= min(width - 1, px + 1); nx++) {
            const at = hat + <usize>(ny * hatStride + nx);
            const value = <i32>load<u8>(at);
            if (value < threshold) continue;
            store<u8>(at, 0);
            store<i32>(queue + ((<usize>end) << 2), (ny << 16) | nx);
            end++;
            level = <f32>value;
            peak = max(peak, level);
            weight += level;
            sumX += level * <f32>nx;
            sumY += level * <f32>ny;
            left = min(left, nx);
            right = max(right, nx);
            bottom = max(bottom, ny);
          }
      }
      const across = right - left + 1;
      const down = bottom - v + 1;
      if (end < 2 || end > largest) continue;
      if (across > LONGEST * down || down > LONGEST * across) continue;
      if (<f32>end < FILLED * <f32>(across * down)) continue;
      const cx = sumX / weight;
      const cy = sumY / weight;
      if ((cx - x) * (cx - x) + (cy - y) * (cy - y) > reach * reach) continue;
      count = insert(list, count, most, cx, cy, <f32>end, weight, peak);
    }
  return dropFaint(list, count);
}
