// Start positions without a previous pupil: dark compact regions. The frame is reduced by block means to about 100
// pixels along its shorter dimension and clipped at its median, so that skin and reflections have equal weight. With an
// integral image every square is compared with the ring around it at several sizes (center-surround). The best few at
// different positions are the candidates. Cost: one pass over the frame plus about 50,000 squares.
import { Search } from '../search/search';

const BLACK: i32 = 4;

/** Block means of the region into s.small. */
function reduce(s: Search, line: usize): void {
  const f = s.reduction;
  const width = s.smallWidth;
  const area = f * f;
  for (let y = 0; y < s.smallHeight; y++) {
    const row = s.source + <usize>((s.y0 + y * f) * s.stride + s.x0);
    const used = width * f;
    // Vertical sums, 16 bits: f is at most 64.
    for (let x = 0; x < used; x += 16) {
      let lo = i16x8.splat(0);
      let hi = i16x8.splat(0);
      for (let k = 0; k < f; k++) {
        const v = v128.load(row + <usize>(k * s.stride + x));
        lo = i16x8.add(lo, i16x8.extend_low_i8x16_u(v));
        hi = i16x8.add(hi, i16x8.extend_high_i8x16_u(v));
      }
      v128.store(line + <usize>(x << 1), lo);
      v128.store(line + <usize>(x << 1) + 16, hi);
    }
    let from = line;
    for (let x = 0; x < width; x++) {
      let sum: u32 = 0;
      for (let k = 0; k < f; k++, from += 2) sum += <u32>load<u16>(from);
      store<u8>(s.small + <usize>(y * width + x), <u8>(sum / <u32>area));
    }
  }
}

/** Sum of the box [x0, x1) x [y0, y1) of the reduced image. */
function box(s: Search, x0: i32, y0: i32, x1: i32, y1: i32): u32 {
  const stride = s.smallWidth + 1;
  const a = s.integral + <usize>((y0 * stride) << 2);
  const b = s.integral + <usize>((y1 * stride) << 2);
  return (
    load<u32>(b + <usize>(x1 << 2)) -
    load<u32>(b + <usize>(x0 << 2)) -
    load<u32>(a + <usize>(x1 << 2)) +
    load<u32>(a + <usize>(x0 << 2))
  );
}

/** How much brighter than `level` a neighboring box is. 0 if it is mostly outside. */
function contrast(s: Search, x0: i32, y0: i32, x1: i32, y1: i32, level: f32): f32 {
  const area = (x1 - x0) * (y1 - y0);
  x0 = max(0, x0);
  y0 = max(0, y0);
  x1 = min(s.smallWidth, x1);
  y1 = min(s.smallHeight, y1);
  const inside = (x1 - x0) * (y1 - y0);
  if (x1 <= x0 || y1 <= y0 || inside * 3 < area) return 0;
  return <f32>box(s, x0, y0, x1, y1) / <f32>inside - level;
}

/** Keeps the best candidates. One that is close to a better one is dropped. */
function offer(s: Search, x: f32, y: f32, half: f32, score: f32): void {
  const list = s.starts;
  let n = s.startCount;
  if (score <= weakest(s)) return;
  for (let i = 0; i < n; i++) {
    const at = list + <usize>(i << 4);
    const dx = load<f32>(at) - x;
    const dy = load<f32>(at, 4) - y;
    const near = 1.5 * max(half, load<f32>(at, 8));
    if (dx * dx + dy * dy >= near * near) continue;
    if (load<f32>(at, 12) >= score) return;
    memory.copy(at, at + 16, <usize>((n - 1 - i) << 4)); // the new one is better: remove
    n--;
    i--;
  }
  let i = n < s.maxStarts ? n++ : n - 1;
  for (; i > 0 && load<f32>(list + <usize>((i - 1) << 4), 12) < score; i--)
    memory.copy(list + <usize>(i << 4), list + <usize>((i - 1) << 4), 16);
  const at = list + <usize>(i << 4);
  store<f32>(at, x);
  store<f32>(at, y, 4);
  store<f32>(at, half, 8);
  store<f32>(at, score, 12);
  s.startCount = n;
}

/** Minimum score for a new candidate. */
function weakest(s: Search): f32 {
  return s.startCount < s.maxStarts ? 0 : load<f32>(s.starts + ((<usize>(s.startCount - 1)) << 4), 12);
}

/**
 * Reduces the region, with its histogram in s.work (256 u32, followed by a line), and measures its first percentile,
 * s.dark. Returns its median.
 */
export function measureLevels(s: Search): i32 {
  const histogram = s.work;
  const count = s.smallWidth * s.smallHeight;
  reduce(s, histogram + 1024);
  memory.fill(histogram, 0, 1024);
  for (let i = 0; i < count; i++) {
    const at = histogram + ((<usize>load<u8>(s.small + <usize>i)) << 2);
    store<u32>(at, load<u32>(at) + 1);
  }
  let median = 0;
  let dark = 0;
  let sum: u32 = 0;
  let seen: u32 = 0; // without the black frame that some digitizers add
  for (let v = BLACK; v < 256; v++) seen += load<u32>(histogram + <usize>(v << 2));
  for (let v = BLACK; v < 256; v++) {
    sum += load<u32>(histogram + <usize>(v << 2));
    if (sum * 100 < seen) dark = v + 1;
    if (sum * 2 < seen) median = v + 1;
  }
  s.dark = <f32>dark;
  return median;
}

/** Fills s.starts with (x, y, half side, score), best first, in pixels of the frame. */
export function findCandidates(s: Search): void {
  const width = s.smallWidth;
  const height = s.smallHeight;
  const median = measureLevels(s);
  const dark = <i32>s.dark;
  const clip = <u32>max(median, dark + 20);
  memory.fill(s.integral, 0, <usize>((width + 1) << 2));
  for (let y = 0; y < height; y++) {
    let row: u32 = 0;
    const above = s.integral + <usize>((y * (width + 1)) << 2);
    const here = above + <usize>((width + 1) << 2);
    store<u32>(here, 0);
    for (let x = 0; x < width; x++) {
      row += min(<u32>load<u8>(s.small + <usize>(y * width + x)), clip);
      store<u32>(here + <usize>((x + 1) << 2), load<u32>(above + <usize>((x + 1) << 2)) + row);
    }
  }
  s.startCount = 0;
  const f = <f32>s.reduction;
  // Squares of 0.6 to 1 times the pupil's radius have the best response, so squares below half of the minimum radius
  // are left out.
  const least = max<f32>(1, (s.minRadius / f) * 0.5);
  const side3 = min(width, height) / 3;
  const stride = width + 1;
  for (let half = <i32>least; half <= side3; half += max(1, half >> 2)) {
    const step = max(1, (half + 1) / 3);
    const outer = 2 * half + 1;
    const side = 2 * half + 1;
    const scale: f32 = 1 / <f32>(side * side);
    for (let y = half; y < height - half; y += step) {
      const top = s.integral + <usize>(((y - half) * stride) << 2);
      const bottom = s.integral + <usize>(((y + half + 1) * stride) << 2);
      for (let x = half; x < width - half; x += step) {
        const l = <usize>((x - half) << 2);
        const r = <usize>((x + half + 1) << 2);
        const inner = load<u32>(bottom + r) - load<u32>(bottom + l) - load<u32>(top + r) + load<u32>(top + l);
        const level = <f32>inner * scale;
        // No neighbor is brighter than the clip value. Most squares are rejected here.
        const most = <f32>clip - level - 0.5 * max<f32>(0, level - <f32>dark);
        if (<f32>clip - level < s.minContrast || most <= weakest(s)) continue;
        // Darker than at least three of four neighbors. Strips and the border of the image are not.
        const left = contrast(s, x - outer, y - half, x - half, y + half + 1, level);
        const right = contrast(s, x + half + 1, y - half, x + outer + 1, y + half + 1, level);
        // The second smallest is at most the larger of any two.
        const rest: f32 = max(left, right) + 0.25 * (left + right + 2 * (<f32>clip - level));
        if (rest - max<f32>(0, level - <f32>dark) < 2 * weakest(s)) continue;
        const above = contrast(s, x - half, y - outer, x + half + 1, y - half, level);
        const below = contrast(s, x - half, y + half + 1, x + half + 1, y + outer + 1, level);
        const lowX = min(left, right);
        const lowY = min(above, below);
        const second = lowX < lowY ? min(lowY, max(left, right)) : min(lowX, max(above, below)); // second smallest
        const mean = (left + right + above + below) * 0.25;
        // Darkness counts in addition to contrast: a pupil is among the darkest regions.
        const score: f32 = 0.5 * (mean + second - max<f32>(0, level - <f32>dark));
        offer(
          s,
          <f32>s.x0 + (<f32>x + 0.5) * f - 0.5,
          <f32>s.y0 + (<f32>y + 0.5) * f - 0.5,
          (<f32>half + 0.5) * f,
          score,
        );
      }
    }
  }
}
