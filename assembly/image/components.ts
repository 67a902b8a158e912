// Connected components, 8-connected, by runs. One scan finds the runs of each row from 64-pixel bit masks and joins
// those that touch a run of the row above (union-find, the smaller label is the root). Labels are then numbered in
// raster order of each component's first pixel. A second scan writes the label image. Runs are stored temporarily in
// the label image: a row of `width` samples has at most (width + 1) / 2 runs of 8 bytes, which fit its stride. Source:
// He, Chao, Suzuki, "A run-based two-scan labeling algorithm", IEEE Trans. IP 17(5), 2008.
//
// Run: first x (u16), x after the last (u16), label (u32). Images up to 65535 wide.

import { Value } from '../runtime/wasm/value';

function rootOf(parents: usize, label: u32): u32 {
  let up = load<u32>(parents + ((<usize>label) << 2));
  while (up != label) {
    // Path halving keeps the trees flat.
    const next = load<u32>(parents + ((<usize>up) << 2));
    store<u32>(parents + ((<usize>label) << 2), next);
    label = up;
    up = next;
  }
  return label;
}

/** Bits of the samples that are at most `level`, of the first `left` at s. The others if `flip` is all ones. */
function bits64(s: usize, left: i32, level: v128, flip: u64): u64 {
  const low =
    (<u32>i8x16.bitmask(i8x16.le_u(v128.load(s), level))) |
    ((<u32>i8x16.bitmask(i8x16.le_u(v128.load(s, 16), level))) << 16);
  const high =
    (<u32>i8x16.bitmask(i8x16.le_u(v128.load(s, 32), level))) |
    ((<u32>i8x16.bitmask(i8x16.le_u(v128.load(s, 48), level))) << 16);
  const bits = ((<u64>low) | ((<u64>high) << 32)) ^ flip;
  return left < 64 ? bits & (((<u64>1) << (<u64>left)) - 1) : bits;
}

/** Writes the runs of a row to `out`, without labels. Returns the end. */
function findRuns(s: usize, width: i32, level: v128, flip: u64, out: usize): usize {
  let inside: u64 = 0; // the last sample of the previous block
  for (let x = 0; x < width; x += 64) {
    const bits = bits64(s + x, width - x, level, flip);
    // A bit where a sample differs from its left neighbor: alternating starts and ends.
    let edges = bits ^ ((bits << 1) | inside);
    inside = bits >> 63;
    for (; edges; edges &= edges - 1) {
      // Starts and ends alternate, so writing each as the next 16 bits of 8-byte runs needs only the parity.
      store<u16>(out, <u16>(x + <i32>ctz<u64>(edges)));
      out = out & 2 ? out + 6 : out + 2;
    }
  }
  if (out & 2) {
    store<u16>(out, <u16>width);
    out += 6;
  }
  return out;
}

/**
 * First scan: runs and provisional labels of all rows, joined, then final numbers. Returns the number of components.
 * `counts`: runs of each row, height u32. `parents`: (width + 1) / 2 * (height + 1) / 2 + 1 u32. After the call it maps
 * a run's label to the final one.
 */
export function componentsScan(
  source: usize,
  sourceStride: i32,
  labels: usize,
  labelsStride: i32,
  width: i32,
  height: i32,
  counts: usize,
  parents: usize,
): Value {
  return scan(source, sourceStride, labels, labelsStride, width, height, i8x16.splat(0), ~(<u64>0), counts, parents);
}

/** componentsScan for the samples of at most `level` (0..255), without an intermediate binary image. */
export function componentsScanDark(
  source: usize,
  sourceStride: i32,
  labels: usize,
  labelsStride: i32,
  width: i32,
  height: i32,
  level: i32,
  counts: usize,
  parents: usize,
): Value {
  return scan(source, sourceStride, labels, labelsStride, width, height, i8x16.splat(<i8>level), 0, counts, parents);
}

function scan(
  source: usize,
  sourceStride: i32,
  labels: usize,
  labelsStride: i32,
  width: i32,
  height: i32,
  level: v128,
  flip: u64,
  counts: usize,
  parents: usize,
): i32 {
  let used: u32 = 0;
  let above: usize = 0;
  let aboveEnd: usize = 0;
  for (let y = 0; y < height; y++) {
    const row = labels + <usize>(y * labelsStride);
    const end = findRuns(source + <usize>(y * sourceStride), width, level, flip, row);
    store<u32>(counts + ((<usize>y) << 2), <u32>((end - row) >> 3));
    let up = above;
    for (let run = row; run < end; run += 8) {
      const first = <i32>load<u16>(run);
      const behind = <i32>load<u16>(run, 2);
      // Runs above that end to the left of this one (diagonals count) are finished.
      while (up < aboveEnd && <i32>load<u16>(up, 2) < first) up += 8;
      let label: u32 = 0;
      if (up < aboveEnd && <i32>load<u16>(up) <= behind) {
        label = rootOf(parents, load<u32>(up, 4));
        // The last run that touches may also touch the next one, so it stays.
        while (<i32>load<u16>(up, 2) <= behind && up + 8 < aboveEnd && <i32>load<u16>(up, 8) <= behind) {
          up += 8;
          const other = rootOf(parents, load<u32>(up, 4));
          if (other < label) {
            store<u32>(parents + ((<usize>label) << 2), other);
            label = other;
          } else if (other != label) store<u32>(parents + ((<usize>other) << 2), label);
        }
      } else {
        label = ++used;
        store<u32>(parents + ((<usize>label) << 2), label);
      }
      store<u32>(run, label, 4);
    }
    above = row;
    aboveEnd = end;
  }
  // Roots are the smallest labels of their components, so counting them upwards is raster order.
  let count: u32 = 0;
  for (let label: u32 = 1; label <= used; label++) {
    const p = parents + ((<usize>label) << 2);
    const up = load<u32>(p);
    store<u32>(p, up == label ? ++count : load<u32>(parents + ((<usize>up) << 2)));
  }
  return count;
}

/** Statistics of a component: pixels, box (right and bottom inclusive), sums of x and y. */
@unmanaged
export class Component {
  area: u32;
  left: u32;
  top: u32;
  right: u32;
  bottom: u32;
  sumX: f64;
  sumY: f64;
}

/** Statistics of the components from their runs, one record each. `stats` must be zero. */
export function componentsStats(
  labels: usize,
  labelsStride: i32,
  height: i32,
  counts: usize,
  parents: usize,
  stats: usize,
): i32 {
  for (let y = 0; y < height; y++) {
    const row = labels + <usize>(y * labelsStride);
    const end = row + ((<usize>load<u32>(counts + ((<usize>y) << 2))) << 3);
    for (let run = row; run < end; run += 8) {
      const first = <u32>load<u16>(run);
      const behind = <u32>load<u16>(run, 2);
      const index = load<u32>(parents + ((<usize>load<u32>(run, 4)) << 2)) - 1;
      const s = changetype<Component>(stats + <usize>index * offsetof<Component>());
      const length = behind - first;
      if (s.area == 0) {
        s.left = first;
        s.top = y;
        s.right = behind - 1;
      } else {
        s.left = min(s.left, first);
        s.right = max(s.right, behind - 1);
      }
      s.area += length;
      s.bottom = y;
      s.sumX += 0.5 * <f64>length * <f64>(first + behind - 1);
      s.sumY += <f64>length * <f64>y;
    }
  }
  return 0;
}

/** Sets `count` samples starting at p to `value`. */
function fill(p: usize, count: i32, value: u32): void {
  const end = p + ((<usize>count) << 2);
  if (count < 4) {
    for (; p < end; p += 4) store<u32>(p, value);
    return;
  }
  const v = i32x4.splat(value);
  for (; p + 16 <= end; p += 16) v128.store(p, v);
  v128.store(end - 16, v);
}

/** Fills from p to end, and up to 16 bytes beyond. */
function fillOver(p: usize, end: usize, value: u32): void {
  const v = i32x4.splat(value);
  do {
    v128.store(p, v);
    p += 16;
  } while (p < end);
}

export function componentsLabelsScratch(width: i32): i32 {
  return 4 * width + 64;
}

/** Second scan, rows y0..y1-1: labels from the runs. Scratch: 4 * width + 64 bytes. */
export function componentsLabels(
  labels: usize,
  labelsStride: i32,
  width: i32,
  counts: usize,
  parents: usize,
  y0: i32,
  y1: i32,
  scratch: usize,
): i32 {
  for (let y = y0; y < y1; y++) {
    const row = labels + <usize>(y * labelsStride);
    const bytes = load<u32>(counts + ((<usize>y) << 2)) << 3;
    for (let i: u32 = 0; i < bytes; i += 16) v128.store(scratch + i, v128.load(row + i));
    let x = 0;
    for (let run = scratch, end = scratch + bytes; run < end; run += 8) {
      const first = <i32>load<u16>(run);
      const behind = <i32>load<u16>(run, 2);
      const label = load<u32>(parents + ((<usize>load<u32>(run, 4)) << 2));
      if (behind + 4 > width) {
        fill(row + ((<usize>x) << 2), first - x, 0);
        fill(row + ((<usize>first) << 2), behind - first, label);
      } else {
        // From left to right: the next fill overwrites what is written too far.
        fillOver(row + ((<usize>x) << 2), row + ((<usize>first) << 2), 0);
        fillOver(row + ((<usize>first) << 2), row + ((<usize>behind) << 2), label);
      }
      x = behind;
    }
    fill(row + ((<usize>x) << 2), width - x, 0);
  }
  return 0;
}

/**
 * Writes linear indices of the border of component `label` within its box, ascending, to `list`. Returns their number.
 * inner: its pixels with a 4-neighbor outside the component. Pixels outside the image count as outside. Otherwise the
 * outer border: other pixels inside the image with one of 8 neighbors in the component.
 */
export function componentsBorder(
  labels: usize,
  labelsStride: i32,
  width: i32,
  height: i32,
  label: u32,
  left: i32,
  top: i32,
  right: i32,
  bottom: i32,
  inner: i32,
  list: usize,
): Value {
  const grow = inner ? 0 : 1;
  const x0 = max(left - grow, 0);
  const x1 = min(right + grow, width - 1);
  const y1 = min(bottom + grow, height - 1);
  let out = list;
  for (let y = max(top - grow, 0); y <= y1; y++) {
    const row = labels + <usize>(y * labelsStride);
    for (let x = x0; x <= x1; x++) {
      const p = row + ((<usize>x) << 2);
      const own = load<u32>(p) == label;
      let border = false;
      if (inner) {
        if (!own) continue;
        border =
          x == 0 ||
          y == 0 ||
          x == width - 1 ||
          y == height - 1 ||
          load<u32>(p - 4) != label ||
          load<u32>(p, 4) != label ||
          load<u32>(p - labelsStride) != label ||
          load<u32>(p + labelsStride) != label;
      } else {
        if (own) continue;
        for (let j = max(y - 1, 0); j <= min(y + 1, height - 1); j++)
          for (let i = max(x - 1, 0); i <= min(x + 1, width - 1); i++)
            if (load<u32>(labels + <usize>(j * labelsStride + (i << 2))) == label) border = true;
      }
      if (border) {
        store<u32>(out, <u32>(y * width + x));
        out += 4;
      }
    }
  }
  return <i32>((out - list) >> 2);
}
