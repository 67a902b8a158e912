// Connects edge points to smooth segments that curve around something dark. The ideas are from ExCuSe, ElSe and PuRe
// (Fuhl 2015, 2016, Santini 2018): thin, straighten, split at corners and where the curvature changes. Here the
// direction of the gradient does all three. A chain follows the tangent with the dark side always to the same hand and
// ends if no neighbor has a similar direction, so it is thin and has no branches. Along it the direction's angle
// increases while the curve bends around the dark. A chain is therefore cut where the angle decreases (curvature
// changes) or jumps (a corner). The increase of the angle is the segment's angular spread.
import { Robust } from './state';

/** Cosine limit: neighbors in a chain differ by less than 40 degrees. */
const SIMILAR: f32 = 0.766;
/** Number of points, in each direction, for measuring the turn and for averaging directions. */
const SPAN: i32 = 3;
const MEAN: i32 = 2;
/** Minimum number of points of a segment, and minimum turn in radians. */
export const SHORTEST: i32 = 8;
const LEAST_TURN: f32 = 0.35;
const HALF: f32 = 1.5707964;
/** A turn within 2 SPAN points that may be a corner. */
const SHARP: f32 = 0.5;

/** Bytes of a segment: first (i32), count (i32), turn (f32), strength (f32), circle x, y, r (f32), usable (i32). */
export const SEGMENT: usize = 32;

/** The next unused point from point i along its tangent (sign 1) or against it (-1). -1: none. */
function follow(r: Robust, i: i32, sign: f32): i32 {
  const at = (<usize>i) << 2;
  const nx = load<f32>(r.normalX + at);
  const ny = load<f32>(r.normalY + at);
  const tx = -ny * sign;
  const ty = nx * sign;
  const px = load<f32>(r.edgeX + at);
  const py = load<f32>(r.edgeY + at);
  const x = <i32>(px + 0.5);
  const y = <i32>(py + 0.5);
  const stride = r.stride;
  let best = -1;
  let bestScore: f32 = 0;
  for (let reach = 1; reach <= 2; reach++) {
    for (let dy = -reach; dy <= reach; dy++) {
      const yy = y + dy;
      if (yy < 0 || yy >= r.height) continue;
      // Only the rim of the square: the inside was already checked.
      const step = dy == -reach || dy == reach ? 1 : 2 * reach;
      for (let dx = -reach; dx <= reach; dx += step) {
        const xx = x + dx;
        if (xx < 0 || xx >= r.width) continue;
        const found = <i32>load<u16>(r.index + ((<usize>(yy * stride + xx)) << 1)) - 1;
        if (found < 0 || found == i || load<u8>(r.used + <usize>found)) continue;
        const f = (<usize>found) << 2;
        const wx = load<f32>(r.edgeX + f) - px;
        const wy = load<f32>(r.edgeY + f) - py;
        const along = wx * tx + wy * ty;
        if (!(along > 0)) continue;
        const same = load<f32>(r.normalX + f) * nx + load<f32>(r.normalY + f) * ny;
        if (same < SIMILAR) continue;
        const score = same + along / sqrt<f32>(wx * wx + wy * wy);
        if (score > bestScore) {
          bestScore = score;
          best = found;
        }
      }
    }
    if (best >= 0) break;
  }
  return best;
}

/**
 * Follows the chain through a point. Writes its points in order to `out` (u16), from `middle` in both directions.
 * Returns first | count << 16.
 */
function trace(r: Robust, seed: i32, out: usize, middle: i32, most: i32): i32 {
  let first = middle;
  let last = middle;
  store<u16>(out + ((<usize>middle) << 1), <u16>seed);
  store<u8>(r.used + <usize>seed, 1);
  let i = seed;
  while (last - middle < most) {
    i = follow(r, i, 1);
    if (i < 0) break;
    store<u8>(r.used + <usize>i, 1);
    last++;
    store<u16>(out + ((<usize>last) << 1), <u16>i);
  }
  i = seed;
  while (middle - first < most) {
    i = follow(r, i, -1);
    if (i < 0) break;
    store<u8>(r.used + <usize>i, 1);
    first--;
    store<u16>(out + ((<usize>first) << 1), <u16>i);
  }
  return first | ((last - first + 1) << 16);
}

/** Turn of the averaged direction from point a to point b of a smoothed chain, radians, positive around the dark. */
function turn(smooth: usize, a: i32, b: i32): f32 {
  const p = smooth + ((<usize>a) << 3);
  const q = smooth + ((<usize>b) << 3);
  const ax = load<f32>(p);
  const ay = load<f32>(p, 4);
  const bx = load<f32>(q);
  const by = load<f32>(q, 4);
  const cross = ax * by - ay * bx;
  const dot = ax * bx + ay * by;
  // atan2 within 0.005 rad. At least half a turn is a corner anyway.
  if (dot > abs(cross)) {
    const z = cross / dot;
    return z / (1 + 0.28 * z * z);
  }
  if (cross == 0) return 0;
  const z = dot / cross;
  return (cross > 0 ? HALF : -HALF) - z / (1 + 0.28 * z * z);
}

/** Adds a part of the chain as a segment if it is long and curved enough. */
function keep(r: Robust, chain: usize, count: i32, from: i32, turned: f32): void {
  if (count < SHORTEST || turned < LEAST_TURN || r.segmentCount >= r.maxSegments) return;
  let first = 0;
  if (r.segmentCount) {
    const before = r.segments + <usize>(r.segmentCount - 1) * SEGMENT;
    first = load<i32>(before) + load<i32>(before, 4);
  }
  if (first + count > r.maxEdges) return;
  memory.copy(r.order + ((<usize>first) << 1), chain + ((<usize>from) << 1), (<usize>count) << 1);
  const at = r.segments + <usize>r.segmentCount * SEGMENT;
  r.segmentCount++;
  store<i32>(at, first);
  store<i32>(at, count, 4);
  store<f32>(at, turned, 8);
}

/** Cuts a chain of n points where it bends away from the dark or has a corner. */
function split(r: Robust, chain: usize, n: i32, smooth: usize): void {
  for (let i = 0; i < n; i++) {
    let x: f32 = 0;
    let y: f32 = 0;
    for (let k = max(0, i - MEAN); k <= min(n - 1, i + MEAN); k++) {
      const at = (<usize>load<u16>(chain + ((<usize>k) << 1))) << 2;
      x += load<f32>(r.normalX + at);
      y += load<f32>(r.normalY + at);
    }
    store<f32>(smooth + ((<usize>i) << 3), x);
    store<f32>(smooth + ((<usize>i) << 3), y, 4);
  }
  // Over 2 SPAN points, at least a pixel apart, the smallest pupil turns by about 2 SPAN / radius.
  const corner: f32 = 0.15 + (2 * <f32>SPAN) / r.minRadius;
  let from = 0;
  let turned: f32 = 0;
  for (let i = 1; i < n; i++) {
    const a = max(from, i - SPAN);
    const b = min(n - 1, i + SPAN);
    const t = turn(smooth, a, b);
    // A corner turns much faster than its flanks. The end of a flat ellipse does not.
    const low = max(from, a - 2 * SPAN);
    const high = min(n - 1, b + 2 * SPAN);
    const flanks = a - low + high - b;
    let bent = t > corner;
    if (t > SHARP && flanks >= 2 * SPAN) {
      const around = (turn(smooth, low, a) + turn(smooth, b, high)) / <f32>flanks;
      bent = bent || t / <f32>(b - a) > 3 * max<f32>(around, 0.01);
    }
    if (t < -0.08 || bent) {
      keep(r, chain, i - from, from, turned);
      // Continues after the bad position: the next part begins where the chain is smooth again.
      from = i;
      turned = 0;
      continue;
    }
    turned += turn(smooth, i - 1, i);
  }
  keep(r, chain, n - from, from, turned);
}

/**
 * Segments of all chains that have a point above the high threshold. `work`: 10 bytes per point of the longest chain.
 */
export function findSegments(r: Robust, work: usize): void {
  const most = 2000;
  const chain = work;
  const smooth = work + <usize>(2 * most + 8) * 2;
  r.segmentCount = 0;
  for (let i = 0; i < r.edges; i++) {
    if (load<u8>(r.used + <usize>i)) continue;
    const at = (<usize>i) << 2;
    const x = <i32>(load<f32>(r.edgeX + at) + 0.5);
    const y = <i32>(load<f32>(r.edgeY + at) + 0.5);
    if (<i32>load<u16>(r.magnitude + ((<usize>(y * r.stride + x)) << 1)) < r.high) continue;
    const found = trace(r, i, chain, most, most);
    const first = found & 0xffff;
    const n = found >>> 16;
    if (n >= SHORTEST) split(r, chain + ((<usize>first) << 1), n, smooth);
  }
}
