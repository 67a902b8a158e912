// Grouping of detection windows (thesis, section 4.2.5): neighbors are counted, windows with too few are dropped, the
// others get adjacency lists, and a breadth-first search forms clusters. Windows are four consecutive arrays of 32-bit
// integers, left, top, right, bottom, each `pitch` bytes long. The pitch is a multiple of 16, filled with an empty
// window far away from all others.

import { Register } from '../runtime/wasm/registers';

/** All ones in the windows at `at` that are neighbors of the window x0, y0, x1, y1. */
function overlap(at: usize, pitch: usize, x0: v128, y0: v128, x1: v128, y1: v128): v128 {
  return v128.and(
    v128.and(i32x4.lt_s(v128.load(at), x1), i32x4.gt_s(v128.load(at + 2 * pitch), x0)),
    v128.and(i32x4.lt_s(v128.load(at + pitch), y1), i32x4.gt_s(v128.load(at + 3 * pitch), y0)),
  );
}

/** OpenCV's rule: no side is farther away than a tenth of the sum of the smaller width and height. */
function similar(at: usize, pitch: usize, x0: v128, y0: v128, x1: v128, y1: v128): v128 {
  const left = v128.load(at);
  const top = v128.load(at + pitch);
  const right = v128.load(at + 2 * pitch);
  const bottom = v128.load(at + 3 * pitch);
  const width = i32x4.min_s(i32x4.sub(right, left), i32x4.sub(x1, x0));
  const height = i32x4.min_s(i32x4.sub(bottom, top), i32x4.sub(y1, y0));
  const dx = i32x4.max_s(i32x4.abs(i32x4.sub(left, x0)), i32x4.abs(i32x4.sub(right, x1)));
  const dy = i32x4.max_s(i32x4.abs(i32x4.sub(top, y0)), i32x4.abs(i32x4.sub(bottom, y1)));
  const reach = i32x4.mul(i32x4.max_s(dx, dy), i32x4.splat(10));
  return i32x4.le_s(reach, i32x4.add(width, height));
}

/** degrees[w]: number of neighbors of w, including itself, for w = y0..y1-1. */
export function groupDegrees(
  boxes: usize,
  pitch: i32,
  degrees: usize,
  count: i32,
  similarly: i32,
  y0: i32,
  y1: i32,
  scratch: usize,
): i32 {
  const end = boxes + ((<usize>count) << 2);
  for (let w = y0; w < y1; w++) {
    const own = boxes + ((<usize>w) << 2);
    const left = Register.vector(v128.load32_splat(own), scratch);
    const top = Register.vector(v128.load32_splat(own + pitch), scratch);
    const right = Register.vector(v128.load32_splat(own + 2 * pitch), scratch);
    const bottom = Register.vector(v128.load32_splat(own + 3 * pitch), scratch);
    let sum = i32x4.splat(0);
    if (similarly)
      for (let at = boxes; at < end; at += 16) sum = i32x4.sub(sum, similar(at, pitch, left, top, right, bottom));
    else for (let at = boxes; at < end; at += 16) sum = i32x4.sub(sum, overlap(at, pitch, left, top, right, bottom));
    sum = i32x4.add(sum, i32x4.shuffle(sum, sum, 2, 3, 0, 1));
    sum = i32x4.add(sum, i32x4.shuffle(sum, sum, 1, 0, 3, 2));
    store<i32>(degrees + ((<usize>w) << 2), i32x4.extract_lane(sum, 0));
  }
  return 0;
}

/** Adjacency lists: the neighbors of w and w itself, ascending, starting at list[offsets[w]], for w = y0..y1-1. */
export function groupLists(
  boxes: usize,
  pitch: i32,
  offsets: usize,
  list: usize,
  count: i32,
  similarly: i32,
  y0: i32,
  y1: i32,
  scratch: usize,
): i32 {
  for (let w = y0; w < y1; w++) {
    const own = boxes + ((<usize>w) << 2);
    const left = Register.vector(v128.load32_splat(own), scratch);
    const top = Register.vector(v128.load32_splat(own + pitch), scratch);
    const right = Register.vector(v128.load32_splat(own + 2 * pitch), scratch);
    const bottom = Register.vector(v128.load32_splat(own + 3 * pitch), scratch);
    let out = list + ((<usize>load<u32>(offsets + ((<usize>w) << 2))) << 2);
    let numbers = i32x4(0, 1, 2, 3);
    for (let i = 0; i < count; i += 4) {
      const at = boxes + ((<usize>i) << 2);
      let bits = i32x4.bitmask(
        similarly ? similar(at, pitch, left, top, right, bottom) : overlap(at, pitch, left, top, right, bottom),
      );
      if (bits == 15) {
        v128.store(out, numbers);
        out += 16;
      } else for (; bits; bits &= bits - 1, out += 4) store<i32>(out, i + ctz<i32>(bits));
      numbers = i32x4.add(numbers, i32x4.splat(4));
    }
  }
  return 0;
}

/** Breadth-first search. clusters[w] becomes the number of w's cluster, in the order of their first windows. */
export function groupSearch(offsets: usize, list: usize, clusters: usize, count: i32, scratch: usize): i32 {
  for (let w = 0; w < count; w++) store<i32>(clusters + ((<usize>w) << 2), -1);
  let cluster = 0;
  let left = count;
  for (let start = 0; left; start++) {
    if (load<i32>(clusters + ((<usize>start) << 2)) >= 0) continue;
    let head = scratch;
    let tail = scratch + 4;
    store<i32>(head, start);
    store<i32>(clusters + ((<usize>start) << 2), cluster);
    left--;
    for (; head < tail && left; head += 4) {
      const w = <usize>load<i32>(head);
      const end = list + ((<usize>load<u32>(offsets + (w << 2), 4)) << 2);
      for (let at = list + ((<usize>load<u32>(offsets + (w << 2))) << 2); at < end; at += 4) {
        const next = load<i32>(at);
        const place = clusters + ((<usize>next) << 2);
        if (load<i32>(place) >= 0) continue;
        store<i32>(place, cluster);
        store<i32>(tail, next);
        tail += 4;
        left--;
      }
    }
    cluster++;
  }
  return 0;
}

export function groupSearchScratch(count: i32): i32 {
  return 4 * count;
}
