// The ellipse that most of the outline's normals agree on, if lids, lashes or reflections cause other edges. It uses up
// to three edges per normal, sets of five normals over a part of the outline (RANSAC: Fischler and Bolles 1981), and
// least squares on the normals that agree. The sets were drawn once and are equal in every frame.
import { ellipseThrough, fitEllipse } from './ellipse';
import { ensureBox, MAXIMUM, sample, SPAN } from './outline';
import { Search } from './search';

/** Minimum support that makes consensus unnecessary. */
export const COMPLETE: f32 = 0.96;

const PEAKS: i32 = 3;
const SETS: i32 = 160;
/** Bytes of a normal's edges, and offsets of the second coordinate and of the step. */
const NORMAL: usize = 48;
const Y: usize = 16;
const STEP: usize = 32;
/** Bytes of ex to euy in the state. */
const OUTLINE: usize = 24;

/**
 * Edges along the normals of the current ellipse. At `peaks`, per normal: x of up to three edges and an unused lane, y
 * of them, their steps (0: none). f32. A missing edge is at infinity, where no ellipse is near. Returns the number of
 * normals with an edge.
 */
function findPeaks(s: Search, band: f32, peaks: usize, profile: usize): i32 {
  const step = max<f32>(1, band * 0.05);
  const lag = max(1, <i32>nearest<f32>(<f32>SPAN / step));
  const half = min(<i32>ceil<f32>(band / step), (MAXIMUM >> 1) - lag - 1);
  const samples = 2 * half + 1;
  const vx = -s.euy;
  const vy = s.eux;
  let found = 0;
  for (let i = 0; i < s.normalCount; i++) {
    const list = peaks + <usize>i * NORMAL;
    v128.store(list, f32x4.splat(Infinity));
    v128.store(list, f32x4.splat(Infinity), Y);
    v128.store(list, f32x4.splat(0), STEP);
    const cos = load<f32>(s.normals + <usize>(i << 3));
    const sin = load<f32>(s.normals + <usize>(i << 3), 4);
    const px = s.ex + s.ea * cos * s.eux + s.eb * sin * vx;
    const py = s.ey + s.ea * cos * s.euy + s.eb * sin * vy;
    let nx = s.eb * cos * s.eux + s.ea * sin * vx;
    let ny = s.eb * cos * s.euy + s.ea * sin * vy;
    const inverse: f32 = 1 / sqrt<f32>(nx * nx + ny * ny);
    nx *= inverse;
    ny *= inverse;
    // The part of the normal inside the region.
    let from = 0;
    let end = samples + 2 * lag;
    for (let side = 0; side < 2; side++) {
      for (;;) {
        const t = <f32>((side ? end - 1 : from) - half - lag) * step;
        const x = px + nx * t;
        const y = py + ny * t;
        if (x >= <f32>s.x0 && y >= <f32>s.y0 && x < <f32>(s.x1 - 1) && y < <f32>(s.y1 - 1)) break;
        if (side) end--;
        else from++;
        if (from >= end) break;
      }
    }
    if (end - from < 2 * lag + 3) continue;
    const t0 = <f32>(from - half - lag) * step;
    const t1 = <f32>(end - 1 - half - lag) * step;
    ensureBox(
      s,
      <i32>min(px + nx * t0, px + nx * t1),
      <i32>min(py + ny * t0, py + ny * t1),
      <i32>max(px + nx * t0, px + nx * t1) + 1,
      <i32>max(py + ny * t0, py + ny * t1) + 1,
    );
    for (let k = from; k < end; k++) {
      const t = <f32>(k - half - lag) * step;
      const x = px + nx * t;
      const y = py + ny * t;
      const hidden = load<u8>(s.mask + <usize>(<i32>floor<f32>(y + 0.5) * s.planeStride + <i32>floor<f32>(x + 0.5)));
      store<f32>(profile + <usize>(k << 2), hidden ? -1000 : sample(s, x, y));
    }
    let before: f32 = 0;
    let here: f32 = 0;
    for (let k = from; k + 2 * lag < end; k++) {
      const a = load<f32>(profile + <usize>(k << 2));
      const b = load<f32>(profile + <usize>((k + 2 * lag) << 2));
      const next: f32 = a < 0 || b < 0 || load<f32>(profile + <usize>((k + lag) << 2)) < 0 ? 0 : b - a;
      // `here` belongs to k - 1.
      if (here >= 0.5 * s.minContrast && here > before && here >= next) {
        const curve = before + next - 2 * here;
        const shift: f32 = before > 0 && next > 0 ? (0.5 * (before - next)) / curve : 0;
        const t = (<f32>(k - 1 - half) + shift) * step;
        // Replaces the weakest of the three.
        let slot = -1;
        let weakest = here;
        for (let j = 0; j < PEAKS; j++) {
          const v = load<f32>(list + <usize>(j << 2), STEP);
          if (v < weakest) {
            weakest = v;
            slot = j;
          }
        }
        if (slot >= 0) {
          const at = list + <usize>(slot << 2);
          store<f32>(at, px + nx * t);
          store<f32>(at, py + ny * t, Y);
          store<f32>(at, here, STEP);
        }
      }
      before = here;
      here = next;
    }
    if (load<f32>(list, STEP) != 0) found++;
  }
  return found;
}

/** Approximate distances of a normal's edges from the ellipse in s (Sampson), pixels. NaN for missing edges. */
function distances(s: Search, edges: usize): v128 {
  const dx = f32x4.sub(v128.load(edges), f32x4.splat(s.ex));
  const dy = f32x4.sub(v128.load(edges, Y), f32x4.splat(s.ey));
  const ux = f32x4.splat(s.eux);
  const uy = f32x4.splat(s.euy);
  const u = f32x4.div(f32x4.add(f32x4.mul(dx, ux), f32x4.mul(dy, uy)), f32x4.splat(s.ea));
  const v = f32x4.div(f32x4.sub(f32x4.mul(dy, ux), f32x4.mul(dx, uy)), f32x4.splat(s.eb));
  const uu = f32x4.mul(u, u);
  const vv = f32x4.mul(v, v);
  const slope = f32x4.sqrt(f32x4.add(f32x4.div(uu, f32x4.splat(s.ea * s.ea)), f32x4.div(vv, f32x4.splat(s.eb * s.eb))));
  const off = f32x4.abs(f32x4.sub(f32x4.add(uu, vv), f32x4.splat(1)));
  return f32x4.div(f32x4.mul(f32x4.splat(0.5), off), f32x4.max(slope, f32x4.splat(1e-6)));
}

/** Normals with an edge within `limit` of the ellipse in s. 0 for an ellipse that cannot exceed `most`. */
function votesFor(s: Search, peaks: usize, limit: f32, most: i32): i32 {
  const near = f32x4.splat(limit);
  let votes = 0;
  for (let i = 0; i < s.normalCount; i++) {
    if (v128.any_true(f32x4.lt(distances(s, peaks + <usize>i * NORMAL), near))) votes++;
    else if (votes + s.normalCount - 1 - i <= most) return 0;
  }
  return votes;
}

/**
 * Writes the nearest edges within `limit` of the ellipse in s, at most one per normal, to two lists. Returns their
 * number.
 */
function agreeing(s: Search, peaks: usize, limit: f32, xs: usize, ys: usize): i32 {
  const lanes = ys + ((<usize>s.normalCount) << 2);
  let n = 0;
  for (let i = 0; i < s.normalCount; i++) {
    const list = peaks + <usize>i * NORMAL;
    v128.store(lanes, distances(s, list));
    let nearest = limit;
    let at: usize = 0;
    for (let j: usize = 0; j < 16; j += 4) {
      if (!(load<f32>(lanes + j) < nearest)) continue;
      nearest = load<f32>(lanes + j);
      at = list + j;
    }
    if (!at) continue;
    store<f32>(xs + ((<usize>n) << 2), load<f32>(at));
    store<f32>(ys + ((<usize>n) << 2), load<f32>(at, Y));
    n++;
  }
  return n;
}

/** Maximum distance of other edges from an outline of this size. */
export function reachOfConsensus(size: f32): f32 {
  return max<f32>(4, min<f32>(0.3 * size, 50));
}

/** Copies center, axes and direction of the ellipse between s and a separate buffer. */
function keep(s: Search, to: usize): void {
  memory.copy(to, changetype<usize>(s) + offsetof<Search>('ex'), OUTLINE);
}
function restore(s: Search, from: usize): void {
  memory.copy(changetype<usize>(s) + offsetof<Search>('ex'), from, OUTLINE);
}

/** One number in [0, 1) of the table of random sets. */
function draw(s: Search, i: i32): f32 {
  return load<f32>(s.table + ((<usize>i) << 2));
}

/**
 * Replaces the ellipse in s with the one that most normals within +-band agree on. Returns false, with s unchanged, if
 * fewer than two in five agree. `work`: 48 bytes per normal, a profile, two lists of the normals, 64 bytes.
 */
export function consensus(s: Search, band: f32, work: usize): bool {
  const peaks = work;
  const profile = peaks + <usize>s.normalCount * NORMAL;
  const xs = profile + <usize>((MAXIMUM + 8) << 2);
  const ys = xs + <usize>(s.normalCount << 2);
  const given = ys + ((<usize>s.normalCount) << 2) + 16;
  const best = given + OUTLINE;
  const size = sqrt<f32>(s.ea * s.eb);
  keep(s, given);
  keep(s, best);
  const n = s.normalCount;
  const reachable = findPeaks(s, band, peaks, profile);
  if (reachable * 5 < 2 * n) return false;
  const limit = max<f32>(1, 0.025 * size);
  let most = votesFor(s, peaks, limit, -1); // the initial ellipse may be the best
  for (let set = 0; set < SETS && most < reachable; set++) {
    // Five normals spread over the whole, three quarters or half of the outline.
    const span: f32 = set % 4 == 0 ? 1 : set % 4 == 3 ? 0.5 : 0.72;
    const start = draw(s, 20 * set + 15);
    let count = 0;
    for (let k = 0; k < 5; k++) {
      const u = draw(s, 20 * set + k);
      const place = start + (span * (<f32>k + u)) / 5;
      const i = <i32>(place * <f32>n) % n;
      const list = peaks + <usize>i * NORMAL;
      let peak = <i32>(draw(s, 20 * set + 5 + k) * <f32>PEAKS);
      let tries = 0;
      while (tries < PEAKS && load<f32>(list + <usize>(peak << 2), STEP) == 0) {
        peak = (peak + 1) % PEAKS;
        tries++;
      }
      if (tries == PEAKS) break;
      store<f32>(xs + <usize>(count << 2), load<f32>(list + <usize>(peak << 2)));
      store<f32>(ys + <usize>(count++ << 2), load<f32>(list + <usize>(peak << 2), Y));
    }
    if (count < 5 || !ellipseThrough(s, xs, ys)) continue;
    if (s.eb < 0.4 * s.ea || s.ea > 1.4 * size + 2 || s.eb < 0.6 * size - 2) continue;
    const votes = votesFor(s, peaks, limit, most);
    if (votes <= most) continue;
    most = votes;
    keep(s, best);
  }
  restore(s, best);
  for (let round = 0; round < 2; round++) {
    const count = agreeing(s, peaks, limit, xs, ys);
    if (count * 5 < 2 * n || !fitEllipse(s, xs, ys, count) || s.eb < 0.35 * s.ea) {
      restore(s, given);
      s.ellipse = 1;
      return false;
    }
  }
  return true;
}
