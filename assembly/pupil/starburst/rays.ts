// Starburst's two ray stages (paper 000, section 2.3). First stage: rays from the start point outwards. Second stage:
// from each border point rays back within +-50 degrees, which arrive at the opposite border. On every ray the first
// dark-to-bright step over GRADIENT_SPAN pixels of the blurred image above the threshold is a border point. Pixels of
// the reflection mask are skipped instead of interpolated (section 4.1).
import { Search } from '../search/search';
import { ensureTile, TILE, tileOf } from '../preparation/tiles';

/** Number of steps, including the first, before a coordinate in 1/65536 pixel leaves low..high-1. */
function stepsInside(from: i32, step: i32, low: i32, high: i32): i32 {
  if (from < low << 16 || from >= high << 16) return 0;
  if (step > 0) return ((high << 16) - 1 - from) / step + 1;
  if (step < 0) return (from - (low << 16)) / -step + 1;
  return i32.MAX_VALUE >> 1;
}

/**
 * Follows one ray from (x, y) along (dx, dy), at most `reach` pixels, ignoring the first `skip`. Adds a border point
 * and returns true if there is one. If a mask ends on a brighter level than it began, it hides the border. In this case
 * there is no point (the paper's variant continues).
 */
function castRay(s: Search, x: f32, y: f32, dx: f32, dy: f32, skip: i32, reach: i32): bool {
  const threshold = <i32>s.gradient;
  const stride = s.planeStride;
  let a: i32 = -1; // levels 4, 3, 2, 1 pixels back, -1: none
  let b: i32 = -1;
  let c: i32 = -1;
  let d: i32 = -1;
  let best: i32 = 0;
  let bestAt: i32 = 0;
  let before: i32 = -1; // level before the mask
  // Positions in 1/65536 pixel.
  const stepX = <i32>(dx * 65536);
  const stepY = <i32>(dy * 65536);
  let fx = <i32>((x + dx * <f32>skip + 0.5) * 65536);
  let fy = <i32>((y + dy * <f32>skip + 0.5) * 65536);
  const blurred = s.blurred;
  const mask = s.mask;
  // The ray ends at the border of the region, so no bounds check is needed on the way.
  reach = min(reach, skip + stepsInside(fx, stepX, s.x0, s.x1));
  reach = min(reach, skip + stepsInside(fy, stepY, s.y0, s.y1));
  let masked = false;
  let change = skip; // start of the next tile
  for (let t = skip; t < reach; t++, fx += stepX, fy += stepY) {
    const ix = fx >> 16;
    const iy = fy >> 16;
    if (t == change) {
      masked = ensureTile(s, tileOf(ix, iy));
      const x0 = ix & ~(TILE - 1);
      const y0 = iy & ~(TILE - 1);
      change += min(stepsInside(fx, stepX, x0, x0 + TILE), stepsInside(fy, stepY, y0, y0 + TILE));
    }
    const at = <usize>(iy * stride + ix);
    if (masked && load<u8>(mask + at)) {
      if (d >= 0) before = d;
      if (best) break; // the step was already found, and its top is hidden
      a = b = c = d = -1;
      continue;
    }
    const level = <i32>load<u8>(blurred + at);
    if (before >= 0) {
      if (!s.paper && level - before > threshold) return false;
      before = -1;
    }
    if (a >= 0) {
      const step = level - a;
      if (best) {
        if (step <= best || s.paper) break;
        best = step;
        bestAt = t;
      } else if (step > threshold) {
        best = step;
        bestAt = t;
        if (s.paper) break;
      }
    }
    a = b;
    b = c;
    c = d;
    d = level;
  }
  if (!best) return false;
  const at = <f32>(bestAt - 2);
  const n = (<usize>s.points) << 2;
  store<f32>(s.px + n, x + dx * at);
  store<f32>(s.py + n, y + dy * at);
  s.points++;
  return true;
}

/** Both stages from (x, y). Fills the point list. */
export function castRays(s: Search, x: f32, y: f32, reach: i32): void {
  s.points = 0;
  for (let i = 0; i < s.rays; i++) {
    const at = s.directions + <usize>(i << 3);
    castRay(s, x, y, load<f32>(at), load<f32>(at, 4), 0, reach);
  }
  const first = s.points;
  // Too few borders for a pupil around this start. The second stage would only multiply them.
  if (!s.paper && first * 3 < s.rays) return;
  for (let i = 0; i < first; i++) {
    const bx = load<f32>(s.px + <usize>(i << 2));
    const by = load<f32>(s.py + <usize>(i << 2));
    const wayX = x - bx;
    const wayY = y - by;
    const length = sqrt<f32>(wayX * wayX + wayY * wayY);
    if (length < 2) continue;
    const ux = wayX / length;
    const uy = wayY / length;
    for (let k = 0; k < s.arcRays; k++) {
      const at = s.arc + <usize>(k << 3);
      const cos = load<f32>(at);
      const sin = load<f32>(at, 4);
      castRay(s, bx, by, ux * cos - uy * sin, ux * sin + uy * cos, 3, 2 * reach);
    }
  }
}
