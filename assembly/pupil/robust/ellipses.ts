// Ellipses from segments (the validation and conditional combination of PuRe: Santini, Fuhl, Kasneci 2018). Every
// segment, and every two that are on the dark side of each other, propose a circle or an ellipse. Size and axis ratio
// must be plausible for a pupil. The score of a proposal depends on the share of its outline with an edge of the right
// direction and on the step across it. The best are refitted to all edges along their outline, regardless of their
// segment.
import { fitCircle } from '../search/circle';
import { fitEllipse } from '../search/ellipse';
import { Robust } from './state';
import { SEGMENT } from './segments';
import { Search } from '../search/search';

/** Bytes of a proposal: x, y, a, b, ux, uy, score, spare; f32. */
export const ELLIPSE: usize = 32;
/** Number of samples on an outline, and maximum distance of an edge from it, reduced pixels. */
const SAMPLES: i32 = 32;
const NEAR: i32 = 2;
/** Maximum number of points of a segment in a fit. */
const MOST: i32 = 40;
/** Number of segments that are combined: the strongest ones. */
const COMBINED: i32 = 14;
const LEAST_RATIO: f32 = 0.35;

/** Appends the points of a segment, thinned evenly to MOST, to the existing n. Returns their number. */
function gather(r: Robust, segment: usize, xs: usize, ys: usize, n: i32): i32 {
  const first = load<i32>(segment);
  const count = load<i32>(segment, 4);
  const step = max<f32>(1, <f32>count / <f32>MOST);
  for (let t: f32 = 0; <i32>t < count; t += step) {
    const at = (<usize>load<u16>(r.order + ((<usize>(first + <i32>t)) << 1))) << 2;
    store<f32>(xs + ((<usize>n) << 2), load<f32>(r.edgeX + at));
    store<f32>(ys + ((<usize>n) << 2), load<f32>(r.edgeY + at));
    n++;
  }
  return n;
}

function plausible(r: Robust, s: Search): bool {
  const size = sqrt<f32>(s.ea * s.eb);
  return (
    size >= r.minRadius &&
    size <= r.maxRadius &&
    s.eb >= LEAST_RATIO * s.ea &&
    s.ex >= 0 &&
    s.ey >= 0 &&
    s.ex < <f32>r.width &&
    s.ey < <f32>r.height
  );
}

function circleAsEllipse(s: Search): void {
  s.ex = s.cx;
  s.ey = s.cy;
  s.ea = s.r;
  s.eb = s.r;
  s.eux = 1;
  s.euy = 0;
}

/**
 * Follows the outline of the ellipse in s: share of the samples with an edge nearby, times the certainty of the step.
 * With `xs` the edges are stored there, and their number in s.qn.
 */
function scoreOutline(r: Robust, s: Search, xs: usize, ys: usize): f32 {
  const vx = -s.euy;
  const vy = s.eux;
  let seen = 0;
  let supported = 0;
  let step = 0;
  let n = 0;
  for (let i = 0; i < SAMPLES; i++) {
    const direction = s.normals + ((<usize>(i * (s.normalCount / SAMPLES))) << 3);
    const cos = load<f32>(direction);
    const sin = load<f32>(direction, 4);
    const px = s.ex + s.ea * cos * s.eux + s.eb * sin * vx;
    const py = s.ey + s.ea * cos * s.euy + s.eb * sin * vy;
    let nx = s.eb * cos * s.eux + s.ea * sin * vx;
    let ny = s.eb * cos * s.euy + s.ea * sin * vy;
    const inverse: f32 = 1 / sqrt<f32>(nx * nx + ny * ny);
    nx *= inverse;
    ny *= inverse;
    const x = <i32>floor<f32>(px + 0.5);
    const y = <i32>floor<f32>(py + 0.5);
    if (x < 4 || y < 4 || x >= r.width - 4 || y >= r.height - 4) continue;
    seen++;
    const outX = <i32>floor<f32>(px + 3 * nx + 0.5);
    const outY = <i32>floor<f32>(py + 3 * ny + 0.5);
    const inX = <i32>floor<f32>(px - 3 * nx + 0.5);
    const inY = <i32>floor<f32>(py - 3 * ny + 0.5);
    const outer = <i32>load<i16>(r.smooth + ((<usize>(outY * r.stride + outX)) << 1));
    const inner = <i32>load<i16>(r.smooth + ((<usize>(inY * r.stride + inX)) << 1));
    step += min(outer - inner, 640); // the step of a reflection counts as at most 40 levels
    // Nearest first.
    for (let k = 0; k <= 2 * NEAR; k++) {
      const t = <f32>(k & 1 ? -((k + 1) >> 1) : k >> 1);
      const ex = <i32>floor<f32>(px + t * nx + 0.5);
      const ey = <i32>floor<f32>(py + t * ny + 0.5);
      const found = <i32>load<u16>(r.index + ((<usize>(ey * r.stride + ex)) << 1)) - 1;
      if (found < 0) continue;
      const at = (<usize>found) << 2;
      if (load<f32>(r.normalX + at) * nx + load<f32>(r.normalY + at) * ny < 0.85) continue;
      supported++;
      if (xs) {
        store<f32>(xs + ((<usize>n) << 2), load<f32>(r.edgeX + at));
        store<f32>(ys + ((<usize>n) << 2), load<f32>(r.edgeY + at));
        n++;
      }
      break;
    }
  }
  s.qn = n;
  if (seen * 3 < SAMPLES) return 0;
  const contrast = <f32>step / (16 * <f32>seen);
  if (!(contrast > 0)) return 0;
  return ((<f32>supported / <f32>seen) * contrast) / (contrast + 10);
}

/** Keeps the best proposals. One that is similar to a better one is dropped. */
function offer(r: Robust, s: Search, score: f32): void {
  if (!(score > 0)) return;
  const list = r.ellipses;
  let n = r.ellipseCount;
  if (n == r.maxEllipses && score <= load<f32>(list + <usize>(n - 1) * ELLIPSE, 24)) return;
  const size = sqrt<f32>(s.ea * s.eb);
  for (let i = 0; i < n; i++) {
    const at = list + <usize>i * ELLIPSE;
    const other = sqrt<f32>(load<f32>(at, 8) * load<f32>(at, 12));
    const dx = load<f32>(at) - s.ex;
    const dy = load<f32>(at, 4) - s.ey;
    const near = 0.25 * min(size, other);
    if (dx * dx + dy * dy > near * near || max(size, other) > 1.25 * min(size, other)) continue;
    if (load<f32>(at, 24) >= score) return;
    memory.copy(at, at + ELLIPSE, <usize>(n - 1 - i) * ELLIPSE);
    n--;
    i--;
  }
  let i = n < r.maxEllipses ? n++ : n - 1;
  for (; i > 0 && load<f32>(list + <usize>(i - 1) * ELLIPSE, 24) < score; i--)
    memory.copy(list + <usize>i * ELLIPSE, list + <usize>(i - 1) * ELLIPSE, ELLIPSE);
  const at = list + <usize>i * ELLIPSE;
  store<f32>(at, s.ex);
  store<f32>(at, s.ey, 4);
  store<f32>(at, s.ea, 8);
  store<f32>(at, s.eb, 12);
  store<f32>(at, s.eux, 16);
  store<f32>(at, s.euy, 20);
  store<f32>(at, score, 24);
  r.ellipseCount = n;
}

/** Scores the ellipse in s, refits it to its edges while that improves it, and offers it. */
function propose(r: Robust, s: Search, xs: usize, ys: usize): void {
  if (!plausible(r, s)) return;
  let score = scoreOutline(r, s, xs, ys);
  if (score < 0.1) return;
  offer(r, s, score);
  for (let k = 0; k < 2; k++) {
    const n = s.qn;
    if (n < 12 || !fitEllipse(s, xs, ys, n) || !plausible(r, s)) return;
    const better = scoreOutline(r, s, xs, ys);
    if (better <= score) return;
    score = better;
    offer(r, s, score);
  }
}

/** The segment's middle point: index of the edge. */
function middleOf(r: Robust, segment: usize): usize {
  return (<usize>load<u16>(r.order + ((<usize>(load<i32>(segment) + (load<i32>(segment, 4) >> 1))) << 1))) << 2;
}

/** Whether each segment's middle is on the dark side of the other segment. */
function facing(r: Robust, a: usize, b: usize): bool {
  const p = middleOf(r, a);
  const q = middleOf(r, b);
  const dx = load<f32>(r.edgeX + q) - load<f32>(r.edgeX + p);
  const dy = load<f32>(r.edgeY + q) - load<f32>(r.edgeY + p);
  const d = sqrt<f32>(dx * dx + dy * dy);
  if (d > 2.3 * r.maxRadius) return false;
  const margin: f32 = -0.05 * d;
  return (
    dx * load<f32>(r.normalX + p) + dy * load<f32>(r.normalY + p) < margin &&
    -(dx * load<f32>(r.normalX + q) + dy * load<f32>(r.normalY + q)) < margin
  );
}

/** Brings the `COMBINED` strongest segments, by turn times length, to the front. */
function strongestFirst(r: Robust): i32 {
  const n = min(COMBINED, r.segmentCount);
  for (let i = 0; i < n; i++) {
    let best = i;
    let most: f32 = -1;
    for (let k = i; k < r.segmentCount; k++) {
      const at = r.segments + <usize>k * SEGMENT;
      const strength = min<f32>(load<f32>(at, 8), 3) * sqrt<f32>(<f32>load<i32>(at, 4));
      if (strength > most) {
        most = strength;
        best = k;
      }
    }
    if (best == i) continue;
    const a = r.segments + <usize>i * SEGMENT;
    const b = r.segments + <usize>best * SEGMENT;
    for (let k: usize = 0; k < SEGMENT; k += 4) {
      const v = load<i32>(a + k);
      store<i32>(a + k, load<i32>(b + k));
      store<i32>(b + k, v);
    }
  }
  return n;
}

/** Fills r.ellipses from the segments. `work`: two lists of 128 f32, twice. */
export function proposeEllipses(s: Search, r: Robust, work: usize): void {
  const xs = work;
  const ys = work + 512;
  const ex = work + 1024;
  const ey = work + 1536;
  r.ellipseCount = 0;
  for (let i = 0; i < r.segmentCount; i++) {
    const segment = r.segments + <usize>i * SEGMENT;
    const turned = load<f32>(segment, 8);
    const n = gather(r, segment, xs, ys, 0);
    if (fitCircle(s, xs, ys, n)) {
      circleAsEllipse(s);
      propose(r, s, ex, ey);
    }
    if (turned > 1.2 && fitEllipse(s, xs, ys, n)) propose(r, s, ex, ey);
  }
  const strongest = strongestFirst(r);
  for (let i = 0; i < strongest; i++)
    for (let k = i + 1; k < strongest; k++) {
      const a = r.segments + <usize>i * SEGMENT;
      const b = r.segments + <usize>k * SEGMENT;
      if (!facing(r, a, b)) continue;
      const n = gather(r, b, xs, ys, gather(r, a, xs, ys, 0));
      if (fitEllipse(s, xs, ys, n)) propose(r, s, ex, ey);
    }
}
