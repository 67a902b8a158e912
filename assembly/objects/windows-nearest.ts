// The windows of a grid nearest to a box. New examples of the target are taken from them.
import { Box, overlapOf } from './boxes';
import { scaleAt, WindowScale, pairAt } from './windows';
import { candidateAt, Candidate, WindowSearch } from './detector-search';

/** The first of sorted edges that is not below `least`. */
function firstFrom(edges: usize, count: i32, least: f64): i32 {
  let low = 0;
  for (let high = count; low < high;) {
    const middle = (low + high) >> 1;
    if (<f64>load<i32>(edges + ((<usize>middle) << 2)) < least) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Inserts a window into the sorted list. `overlaps`: the overlaps of the list, f64. */
function insert(s: WindowSearch, overlaps: usize, overlap: f64, window: Candidate): void {
  let i = s.nearestCount;
  while (i > 0) {
    const other = load<f64>(overlaps + ((<usize>(i - 1)) << 3));
    const before = candidateAt(s.nearest, i - 1);
    if (overlap < other || (overlap == other && window.number > before.number)) break;
    if (i < s.mostNearest) {
      memory.copy(changetype<usize>(candidateAt(s.nearest, i)), changetype<usize>(before), offsetof<Candidate>());
      store<f64>(overlaps + ((<usize>i) << 3), other);
    }
    i--;
  }
  if (i == s.mostNearest) return;
  memory.copy(changetype<usize>(candidateAt(s.nearest, i)), changetype<usize>(window), offsetof<Candidate>());
  store<f64>(overlaps + ((<usize>i) << 3), overlap);
  s.nearestCount = min(s.mostNearest, s.nearestCount + 1);
}

export function nearestWindowsScratch(mostNearest: i32): i32 {
  return (mostNearest << 3) + <i32>offsetof<Candidate>();
}

/**
 * The windows that overlap `box` by more than `least` (> 0.5), the best `mostNearest` first. Ties in the order of the
 * grid.
 */
export function nearestWindows(search: usize, box: usize, least: f64, mostNearest: i32, scratch: usize): i32 {
  const s = changetype<WindowSearch>(search);
  const b = changetype<Box>(box);
  const window = changetype<Candidate>(scratch);
  const overlaps = scratch + offsetof<Candidate>();
  s.nearestCount = 0;
  s.mostNearest = mostNearest;
  for (let k = 0; k < s.scaleCount; k++) {
    const scale: WindowScale = scaleAt(s.scales, k);
    const width = <f64>scale.width;
    const height = <f64>scale.height;
    const areas = (width * height) / (b.width * b.height);
    if (min(areas, 1 / areas) < least) continue;
    // With an overlap above `least`, at most the share 1 - least of either window is outside the other.
    const spareX = (1 - least) * max(width, b.width) + 1;
    const spareY = (1 - least) * max(height, b.height) + 1;
    const right = b.x + b.width - width + spareX;
    const bottom = b.y + b.height - height + spareY;
    const column0 = firstFrom(scale.lefts, scale.leftCount, b.x - spareX);
    for (let row = firstFrom(scale.tops, scale.topCount, b.y - spareY); row < scale.topCount; row++) {
      const y = <f64>load<i32>(scale.tops + ((<usize>row) << 2));
      if (y > bottom) break;
      const pair = pairAt(s.pairs, scale.first + row);
      for (let column = column0; column < scale.leftCount; column++) {
        const x = <f64>load<i32>(scale.lefts + ((<usize>column) << 2));
        if (x > right) break;
        const overlap = overlapOf(x, y, width, height, b.x, b.y, b.width, b.height);
        if (!(overlap > least)) continue;
        window.x = <f32>x;
        window.y = <f32>y;
        window.width = <f32>width;
        window.height = <f32>height;
        window.number = <u32>(pair.number + column * pair.step);
        window.vote = 0;
        window.scale = k;
        window.record = -1;
        insert(s, overlaps, overlap, window);
      }
    }
  }
  return 0;
}
