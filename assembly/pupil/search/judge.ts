// Rating of outlines from rays or votes: image features along an outline, and the confidence that it is the pupil.
// ./judge-shape rates outlines without border points.
import { NOTHING } from './contest';
import { findEdges, medianOf } from './outline';
import { Search } from './search';
import { ensureTile, tileOf } from '../preparation/tiles';

/** Adds the unmasked levels along the current ellipse, scaled by k, to a histogram of 256 u32. */
export function gatherLevels(s: Search, k: f32, histogram: usize): void {
  const vx = -s.euy;
  const vy = s.eux;
  for (let i = 0; i < s.normalCount; i += 2) {
    const cos = load<f32>(s.normals + <usize>(i << 3)) * s.ea * k;
    const sin = load<f32>(s.normals + <usize>(i << 3), 4) * s.eb * k;
    const x = <i32>floor<f32>(s.ex + cos * s.eux + sin * vx + 0.5);
    const y = <i32>floor<f32>(s.ey + cos * s.euy + sin * vy + 0.5);
    if (x < s.x0 || y < s.y0 || x >= s.x1 || y >= s.y1) continue;
    ensureTile(s, tileOf(x, y));
    const at = <usize>(y * s.planeStride + x);
    if (load<u8>(s.mask + at)) continue;
    const bin = histogram + ((<usize>load<u8>(s.blurred + at)) << 2);
    store<u32>(bin, load<u32>(bin) + 1);
  }
}

/** Minimum level with at least this share of the histogram at or below it. */
export function percentile(histogram: usize, share: f32): f32 {
  let all: u32 = 0;
  for (let v = 0; v < 256; v++) all += load<u32>(histogram + <usize>(v << 2));
  let sum: u32 = 0;
  for (let v = 0; v < 256; v++) {
    sum += load<u32>(histogram + <usize>(v << 2));
    if (sum && <f32>sum >= share * <f32>all) return <f32>v;
  }
  return 255;
}

/** Measures the current ellipse: support, contrast, spread, levels inside and around. */
export function measure(s: Search, edges: usize, profile: usize, list: usize): void {
  const r = sqrt<f32>(s.ea * s.eb);
  const seen = findEdges(s, max<f32>(3, 0.1 * r), edges, profile);
  s.visible = <f32>seen / <f32>s.normalCount;
  s.support = 0;
  s.contrast = 0;
  s.steady = 0;
  if (!seen) return;
  s.contrast = medianOf(s, edges, 4, false, list);
  s.spread = medianOf(s, edges, 0, true, list);
  const close = max<f32>(1.5, 0.04 * r);
  let good = 0;
  let steady = 0;
  for (let i = 0; i < s.normalCount; i++) {
    const at = edges + <usize>(i << 4);
    if (load<f32>(at, 12) == 0) continue;
    const step = load<f32>(at, 4);
    if (abs<f32>(load<f32>(at)) <= close && step >= max(s.minContrast, 0.4 * s.contrast)) {
      const from = <usize>(i << 2);
      store<f32>(s.qx + <usize>(good << 2), load<f32>(s.qx + from));
      store<f32>(s.qy + <usize>(good << 2), load<f32>(s.qy + from));
      good++;
    }
    if (step > 0.5 * s.contrast && step < 2 * s.contrast) steady++;
  }
  s.qn = good; // the supported outline stays as the list of border points
  s.support = <f32>good / <f32>seen;
  s.steady = <f32>steady / <f32>seen;
  const histogram = edges; // the edges are not needed any more
  memory.fill(histogram, 0, 1024);
  gatherLevels(s, 0.2, histogram);
  gatherLevels(s, 0.4, histogram);
  gatherLevels(s, 0.6, histogram);
  gatherLevels(s, 0.8, histogram);
  s.inside = percentile(histogram, 0.5);
  s.insideRange = percentile(histogram, 0.9) - percentile(histogram, 0.1);
  const high = percentile(histogram, 0.75);
  memory.fill(histogram, 0, 1024);
  const outwards = max<f32>(0.08, 4 / r);
  gatherLevels(s, 1 + outwards, histogram);
  gatherLevels(s, 1.05 + outwards, histogram);
  s.gap = percentile(histogram, 0.25) - high;
}

/**
 * Log-odds that the current outline is the pupil. 0 is even odds. It is a logistic regression on the features of
 * `measure`, fitted only to rendered eyes and frames without an eye (bench/pupil/confidence), not to real recordings.
 */
export function rate(s: Search): f32 {
  const r = sqrt<f32>(s.ea * s.eb);
  if (r < s.minRadius || r > s.maxRadius || s.contrast < s.minContrast || s.visible < 0.3 || !s.points) return NOTHING;
  const w = <f32>s.width;
  const h = <f32>s.height;
  const c = max<f32>(s.contrast, 1);
  let z: f32 = -11.3484;
  z += 1.5566 * s.support + 1.1479 * s.support * s.support + 2.3428 * s.support * s.steady + 6.5527 * s.steady;
  z -= 4.5221 * s.visible;
  z -= 88.682 * min<f32>(s.spread / r, 0.1) + 1.7171 * min<f32>(s.spread, 3);
  z -= 2.14 * min<f32>(s.insideRange / c, 3) + 1.6407 * max<f32>(-2, min<f32>(s.gap / c, 1.5));
  z -= 0.0696 * max<f32>(0, min<f32>(s.inside - s.dark, 80));
  z += 5.8311 * max<f32>(s.eb / s.ea, 0.3);
  z += 2.5185 * (<f32>s.votes / <f32>s.points) + 3.1699 * (<f32>s.points / <f32>(s.rays * (s.arcRays + 1)));
  z += 71.9433 * max<f32>(0.02, min<f32>(r / sqrt<f32>(w * w + h * h), 0.06));
  return z;
}
