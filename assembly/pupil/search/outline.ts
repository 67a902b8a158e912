// Outline of the pupil: sub-pixel edges along the normals of the current ellipse, robust re-selection and refit, and
// the rating of the result. Section 5.1.1 defines the ellipse. The re-selection is ours. An edge is the steepest
// dark-to-bright step of the blurred image within a band around the ellipse. Its position is the vertex of the parabola
// through the gradient's peak. Normals that meet the reflection mask or leave the image do not count.
import { median } from '../../image/median-list';
import { fitEllipse } from './ellipse';
import { Search } from './search';
import { ensureTile, tileOf } from '../preparation/tiles';

export const SPAN: i32 = 2; // the gradient is level(t + SPAN) - level(t - SPAN)
export const MAXIMUM: i32 = 120; // samples of a profile

/** Makes blurred image and mask valid in a box. */
export function ensureBox(s: Search, x0: i32, y0: i32, x1: i32, y1: i32): void {
  const first = tileOf(x0, y0);
  const last = tileOf(x1, y1);
  for (let ty = first >> 16; ty <= last >> 16; ty++)
    for (let tx = first & 0xffff; tx <= (last & 0xffff); tx++) ensureTile(s, (ty << 16) | tx);
}

/** Bilinear sample of the blurred image. The caller made the tiles valid. */
export function sample(s: Search, x: f32, y: f32): f32 {
  const fx = floor<f32>(x);
  const fy = floor<f32>(y);
  const at = s.blurred + <usize>(<i32>fy * s.planeStride + <i32>fx);
  const wx = x - fx;
  const wy = y - fy;
  const a = <f32>load<u8>(at);
  const b = <f32>load<u8>(at, 1);
  const below = at + <usize>s.planeStride;
  const c = <f32>load<u8>(below);
  const d = <f32>load<u8>(below, 1);
  const top = a + (b - a) * wx;
  return top + (c + (d - c) * wx - top) * wy;
}

/**
 * Searches for edges within +-band of the current ellipse. Per normal at `edges`: offset t, step, level inside, state
 * (0 hidden, 1 visible) as f32. Returns the number of visible normals.
 */
export function findEdges(s: Search, band: f32, edges: usize, profile: usize): i32 {
  // Wide bands are sampled more coarsely. The gradient spans about 2 * SPAN pixels in both directions.
  const step = max<f32>(1, band * 0.0625);
  const lag = max(1, <i32>nearest<f32>(<f32>SPAN / step));
  const half = min(<i32>ceil<f32>(band / step), (MAXIMUM >> 1) - lag - 1);
  const samples = 2 * half + 1;
  const vx = -s.euy;
  const vy = s.eux;
  let seen = 0;
  for (let i = 0; i < s.normalCount; i++) {
    const at = edges + <usize>(i << 4);
    store<f32>(at, 0, 12);
    const cos = load<f32>(s.normals + <usize>(i << 3));
    const sin = load<f32>(s.normals + <usize>(i << 3), 4);
    const px = s.ex + s.ea * cos * s.eux + s.eb * sin * vx;
    const py = s.ey + s.ea * cos * s.euy + s.eb * sin * vy;
    // Normal of the ellipse: (cos / a, sin / b) in its axes.
    let nx = s.eb * cos * s.eux + s.ea * sin * vx;
    let ny = s.eb * cos * s.euy + s.ea * sin * vy;
    const length = sqrt<f32>(nx * nx + ny * ny);
    if (!(length > 0)) continue;
    nx /= length;
    ny /= length;
    const reach = <f32>(half + lag) * step;
    const ax = px - nx * reach;
    const bx = px + nx * reach;
    const ay = py - ny * reach;
    const by = py + ny * reach;
    const left = <i32>floor<f32>(min(ax, bx));
    const right = <i32>floor<f32>(max(ax, bx)) + 1;
    const top = <i32>floor<f32>(min(ay, by));
    const bottom = <i32>floor<f32>(max(ay, by)) + 1;
    if (left < s.x0 || top < s.y0 || right >= s.x1 || bottom >= s.y1) continue;
    ensureBox(s, left, top, right, bottom);
    // Levels along the normal, then their differences. A masked sample is -1000, which invalidates every difference
    // with it.
    let masked = false;
    for (let k = 0; k < samples + 2 * lag; k++) {
      const t = <f32>(k - half - lag) * step;
      const x = px + nx * t;
      const y = py + ny * t;
      let level: f32 = -1000;
      if (load<u8>(s.mask + <usize>(<i32>floor<f32>(y + 0.5) * s.planeStride + <i32>floor<f32>(x + 0.5))))
        masked = true;
      else level = sample(s, x, y);
      store<f32>(profile + <usize>(k << 2), level);
    }
    let best: f32 = 0;
    let bestAt = -1;
    let bestWeight: f32 = 0;
    for (let k = 0; k < samples; k++) {
      const before = load<f32>(profile + <usize>(k << 2));
      const after = load<f32>(profile + <usize>((k + 2 * lag) << 2));
      if (masked && (before < 0 || after < 0 || load<f32>(profile + <usize>((k + lag) << 2)) < 0)) continue;
      const g = after - before;
      const weight = g * (1 - (0.5 * abs<f32>(<f32>(k - half))) / <f32>half);
      if (weight > bestWeight) {
        bestWeight = weight;
        best = g;
        bestAt = k;
      }
    }
    if (masked) {
      // Hidden at the expected edge, or directly next to the detected edge.
      let near = false;
      for (let k = 0; k < samples; k++)
        if (load<f32>(profile + <usize>((k + lag) << 2)) < 0) {
          const t = <f32>(k - half) * step;
          if (abs<f32>(t) < 2.5 || (bestAt >= 0 && abs<f32>(<f32>(k - bestAt) * step) < 3.5)) near = true;
        }
      if (near) continue;
    }
    seen++;
    store<f32>(at, 1, 12);
    if (bestAt < 0) {
      store<f32>(at, band);
      store<f32>(at, 0, 4);
      store<f32>(at, sample(s, px, py), 8);
      continue;
    }
    let t = <f32>(bestAt - half);
    if (bestAt > 0 && bestAt < samples - 1) {
      const a0 = load<f32>(profile + <usize>((bestAt - 1) << 2));
      const a1 = load<f32>(profile + <usize>((bestAt - 1 + 2 * lag) << 2));
      const b0 = load<f32>(profile + <usize>((bestAt + 1) << 2));
      const b1 = load<f32>(profile + <usize>((bestAt + 1 + 2 * lag) << 2));
      const l = a1 - a0;
      const r = b1 - b0;
      const curve = l + r - 2 * best;
      if (a0 >= 0 && a1 >= 0 && b0 >= 0 && b1 >= 0 && curve < 0)
        t += max<f32>(-0.5, min<f32>(0.5, (0.5 * (l - r)) / curve));
    }
    t *= step;
    store<f32>(at, t);
    store<f32>(at, best, 4);
    store<f32>(at, load<f32>(profile + <usize>(bestAt << 2)), 8);
    const q = <usize>(i << 2);
    store<f32>(s.qx + q, px + nx * t);
    store<f32>(s.qy + q, py + ny * t);
  }
  return seen;
}

/** Median of one component of the visible normals. */
export function medianOf(s: Search, edges: usize, offset: usize, absolute: bool, list: usize): f32 {
  let n = 0;
  for (let i = 0; i < s.normalCount; i++) {
    const at = edges + <usize>(i << 4);
    if (load<f32>(at, 12) == 0) continue;
    const v = load<f32>(at + offset);
    store<f32>(list + <usize>(n++ << 2), absolute ? abs<f32>(v) : v);
  }
  return n ? median(list, n) : 0;
}

/**
 * One round: detects edges in the band, keeps those that fit, refits the ellipse. Returns false if the ellipse became
 * invalid.
 */
export function reselect(s: Search, band: f32, tight: bool, edges: usize, profile: usize, list: usize): bool {
  if (findEdges(s, band, edges, profile) < s.normalCount >> 2) return false;
  const strong = 0.5 * medianOf(s, edges, 4, false, list);
  const typical = medianOf(s, edges, 0, true, list);
  const limit = tight ? max<f32>(0.5, 3.5 * typical) : band;
  let n = 0;
  for (let i = 0; i < s.normalCount; i++) {
    const at = edges + <usize>(i << 4);
    if (
      load<f32>(at, 12) == 0 ||
      load<f32>(at, 4) < max(strong, s.minContrast * 0.4) ||
      abs<f32>(load<f32>(at)) > limit
    )
      continue;
    const from = <usize>(i << 2);
    store<f32>(s.qx + <usize>(n << 2), load<f32>(s.qx + from));
    store<f32>(s.qy + <usize>(n << 2), load<f32>(s.qy + from));
    n++;
  }
  s.qn = n;
  if (n < 8) return false;
  const x = s.ex;
  const y = s.ey;
  const a = s.ea;
  const b = s.eb;
  const ux = s.eux;
  const uy = s.euy;
  if (
    fitEllipse(s, s.qx, s.qy, n) &&
    s.ea < 1.5 * a + 2 &&
    s.eb > 0.6 * b - 2 &&
    s.eb > 0.3 * s.ea &&
    abs<f32>(s.ex - x) < a &&
    abs<f32>(s.ey - y) < a
  )
    return true;
  s.ex = x;
  s.ey = y;
  s.ea = a;
  s.eb = b;
  s.eux = ux;
  s.euy = uy;
  s.ellipse = 1;
  return false;
}
