// Final refinement of the best outline. It uses twice the number of normals, robust re-selection, and a correction of
// the bias from blur. Outliers are beyond 2.5 standard deviations by the median absolute deviation, or have unusual
// steps. The steepest position of a blurred disc of radius R is about sigma^2 / (2 R) inside its border (second order
// of the Laplacian, see for example Mendonca 2001 on circular edges). sigma is measured: the share of the step across
// eight pixels that is within the middle four is erf(2 / (sigma sqrt 2)) / erf(4 / (sigma sqrt 2)).
import { median } from '../../image/median-list';
import { fitEllipse } from '../search/ellipse';
import { ensureBox, MAXIMUM, sample, SPAN } from '../search/outline';
import { Robust } from './state';
import { Search } from '../search/search';

/** Half the length of a profile of level differences, px. */
const HALF: i32 = 4;
const ROUNDS: i32 = 4;
/** Bytes of an edge: t, step, step over twice the span, state, normal x, y, curvature, index in the order. */
const EDGE: usize = 32;

/** erf by Abramowitz and Stegun 7.1.27, within 5e-4. */
function erf(x: f32): f32 {
  const d: f32 = 1 + x * (0.278393 + x * (0.230389 + x * (0.000972 + x * 0.078108)));
  return 1 - 1 / (d * d * d * d);
}

/** The sigma for which the middle four of eight pixels contain this share of the step. */
function sigmaOf(share: f32): f32 {
  let low: f32 = 0.5;
  let high: f32 = 5;
  for (let i = 0; i < 12; i++) {
    const s: f32 = 0.5 * (low + high);
    const k: f32 = 1.4142135 / s;
    if (erf(k) / erf(2 * k) > share) low = s;
    else high = s;
  }
  return 0.5 * (low + high);
}

/** Edges along the normals. Returns the number of visible ones. */
function measure(s: Search, r: Robust, edges: usize, profile: usize): i32 {
  const lag = SPAN;
  const reach = HALF + 2 * lag;
  const vx = -s.euy;
  const vy = s.eux;
  let seen = 0;
  for (let i = 0; i < r.fineCount; i++) {
    const at = edges + <usize>i * EDGE;
    store<f32>(at, 0, 12);
    const cos = load<f32>(r.fine + ((<usize>i) << 3));
    const sin = load<f32>(r.fine + ((<usize>i) << 3), 4);
    const px = s.ex + s.ea * cos * s.eux + s.eb * sin * vx;
    const py = s.ey + s.ea * cos * s.euy + s.eb * sin * vy;
    let nx = s.eb * cos * s.eux + s.ea * sin * vx;
    let ny = s.eb * cos * s.euy + s.ea * sin * vy;
    const length = sqrt<f32>(nx * nx + ny * ny);
    nx /= length;
    ny /= length;
    const dx = abs<f32>(nx) * <f32>reach;
    const dy = abs<f32>(ny) * <f32>reach;
    const left = <i32>floor<f32>(px - dx);
    const right = <i32>floor<f32>(px + dx) + 1;
    const top = <i32>floor<f32>(py - dy);
    const bottom = <i32>floor<f32>(py + dy) + 1;
    if (left < s.x0 || top < s.y0 || right >= s.x1 || bottom >= s.y1) continue;
    ensureBox(s, left, top, right, bottom);
    let hidden = false;
    for (let k = -reach; k <= reach; k++) {
      const x = px + nx * <f32>k;
      const y = py + ny * <f32>k;
      if (load<u8>(s.mask + <usize>(<i32>floor<f32>(y + 0.5) * s.planeStride + <i32>floor<f32>(x + 0.5)))) {
        hidden = true;
        break;
      }
      store<f32>(profile + ((<usize>(k + reach)) << 2), sample(s, x, y));
    }
    if (hidden) continue;
    let best: f32 = 0;
    let bestAt = 0;
    for (let k = -HALF; k <= HALF; k++) {
      const p = profile + ((<usize>(k + reach)) << 2);
      const g = load<f32>(p, 8) - load<f32>(p - 8);
      const weight: f32 = g * (1 - 0.08 * <f32>abs(k));
      if (weight > best) {
        best = weight;
        bestAt = k;
      }
    }
    if (!(best > 0)) continue;
    const p = profile + ((<usize>(bestAt + reach)) << 2);
    const g = load<f32>(p, 8) - load<f32>(p - 8);
    const before = load<f32>(p, 4) - load<f32>(p - 12);
    const after = load<f32>(p, 12) - load<f32>(p - 4);
    const curve = before + after - 2 * g;
    let t = <f32>bestAt;
    if (curve < 0) t += max<f32>(-0.5, min<f32>(0.5, (0.5 * (before - after)) / curve));
    // Curvature of the ellipse: ab / (a^2 sin^2 + b^2 cos^2)^(3/2).
    store<f32>(at, t);
    store<f32>(at, g, 4);
    store<f32>(at, load<f32>(p, 16) - load<f32>(p - 16), 8);
    store<f32>(at, 1, 12);
    store<f32>(at, nx, 16);
    store<f32>(at, ny, 20);
    store<f32>(at, (s.ea * s.eb) / (length * length * length), 24);
    store<f32>(s.qx + ((<usize>i) << 2), px);
    store<f32>(s.qy + ((<usize>i) << 2), py);
    seen++;
  }
  return seen;
}

/** Median of one component of the visible edges. */
function medianOf(r: Robust, edges: usize, offset: usize, from: f32, absolute: bool, list: usize): f32 {
  let n = 0;
  for (let i = 0; i < r.fineCount; i++) {
    const at = edges + <usize>i * EDGE;
    if (load<f32>(at, 12) == 0) continue;
    const v = load<f32>(at + offset) - from;
    store<f32>(list + ((<usize>n) << 2), absolute ? abs<f32>(v) : v);
    n++;
  }
  return n ? median(list, n) : 0;
}

/** Refines the ellipse in s. Leaves it unchanged if too few edges agree. `work`: edges, a profile, a list. */
export function polish(s: Search, r: Robust, work: usize): void {
  const edges = work;
  const profile = edges + <usize>r.fineCount * EDGE;
  const list = profile + <usize>((MAXIMUM + 8) << 2);
  for (let round = 0; round < ROUNDS; round++) {
    const seen = measure(s, r, edges, profile);
    if (seen < 16) return;
    const step = medianOf(r, edges, 4, 0, false, list);
    const wide = medianOf(r, edges, 8, 0, false, list);
    const off = medianOf(r, edges, 0, 0, false, list);
    const limit = max<f32>(0.3, 2.5 * 1.4826 * medianOf(r, edges, 0, off, true, list));
    r.sigma = sigmaOf(wide > 0 ? min<f32>(1, step / wide) : 1);
    let n = 0;
    for (let i = 0; i < r.fineCount; i++) {
      const at = edges + <usize>i * EDGE;
      if (load<f32>(at, 12) == 0) continue;
      const t = load<f32>(at);
      const g = load<f32>(at, 4);
      if (abs<f32>(t - off) > limit || g < 0.7 * step || g > 1.5 * step) continue;
      const shift = t + 0.5 * r.sigma * r.sigma * load<f32>(at, 24);
      const from = (<usize>i) << 2;
      store<f32>(s.qx + ((<usize>n) << 2), load<f32>(s.qx + from) + shift * load<f32>(at, 16));
      store<f32>(s.qy + ((<usize>n) << 2), load<f32>(s.qy + from) + shift * load<f32>(at, 20));
      n++;
    }
    s.qn = n;
    if (n < 16) return;
    const x = s.ex;
    const y = s.ey;
    const a = s.ea;
    const b = s.eb;
    const ux = s.eux;
    const uy = s.euy;
    const good =
      fitEllipse(s, s.qx, s.qy, n) &&
      abs<f32>(s.ex - x) + abs<f32>(s.ey - y) < 0.3 * b &&
      abs<f32>(s.ea - a) < 0.2 * a &&
      abs<f32>(s.eb - b) < 0.2 * b;
    if (good) continue;
    s.ex = x;
    s.ey = y;
    s.ea = a;
    s.eb = b;
    s.eux = ux;
    s.euy = uy;
    s.ellipse = 1;
    return;
  }
}
