// Features of an outline, and the confidence that it is the pupil: a logistic regression over these features,
// independent of the search that proposed the outline. The weights come from TypeScript (src/pupil/robust/weights.ts)
// and were fitted to rendered eyes and frames without an eye (bench/pupil/tune).
import { NOTHING } from './contest';
import { gatherLevels, percentile } from './judge';
import { findEdges, MAXIMUM, medianOf, sample } from './outline';
import { Search } from './search';

function clamp(v: f32, low: f32, high: f32): f32 {
  return max<f32>(low, min<f32>(high, v));
}

/** Cosine between the image's gradient and the outward normal at a point of the outline. -2 at the border. */
function alignment(s: Search, x: f32, y: f32, nx: f32, ny: f32): f32 {
  if (x < <f32>(s.x0 + 2) || y < <f32>(s.y0 + 2) || x > <f32>(s.x1 - 4) || y > <f32>(s.y1 - 4)) return -2;
  const gx = sample(s, x + 1.5, y) - sample(s, x - 1.5, y);
  const gy = sample(s, x, y + 1.5) - sample(s, x, y - 1.5);
  const length = sqrt<f32>(gx * gx + gy * gy);
  return length > 0 ? (gx * nx + gy * ny) / length : 0;
}

/** Whether the outline's point at these offsets along its axes is outside the region. */
function isBeyond(s: Search, a: f32, b: f32): bool {
  const x = s.ex + a * s.eux - b * s.euy;
  const y = s.ey + a * s.euy + b * s.eux;
  return x < <f32>s.x0 || y < <f32>s.y0 || x > <f32>(s.x1 - 1) || y > <f32>(s.y1 - 1);
}

function put(s: Search, i: i32, v: f32): void {
  store<f32>(s.features + ((<usize>i) << 2), v);
}

/** Computes the features of the current ellipse and s.score. */
export function judgeShape(s: Search): void {
  const edges = s.work;
  const profile = edges + <usize>(s.normalCount << 4);
  const list = profile + <usize>((MAXIMUM + 8) << 2);
  const histogram = list + <usize>(s.normalCount << 2);
  s.score = NOTHING;
  const size = sqrt<f32>(s.ea * s.eb);
  if (!(size >= s.minRadius && size <= s.maxRadius && s.eb >= 0.3 * s.ea)) return;
  const n = s.normalCount;
  const seen = findEdges(s, max<f32>(3, 0.1 * size), edges, profile);
  s.visible = <f32>seen / <f32>n;
  if (seen * 10 < 3 * n) return;
  s.contrast = medianOf(s, edges, 4, false, list);
  s.spread = medianOf(s, edges, 0, true, list);
  if (s.contrast < s.minContrast) return;
  const close = max<f32>(1.5, 0.04 * size);
  const vx = -s.euy;
  const vy = s.eux;
  let good = 0;
  let steady = 0;
  let aligned: f32 = 0;
  let alignedCount = 0;
  let run = 0;
  let longest = 0;
  let beyond = 0;
  let squares: f32 = 0;
  // Third and fourth harmonic of the distances: present for corners, absent for an ellipse.
  let c3: f32 = 0;
  let s3: f32 = 0;
  let c4: f32 = 0;
  let s4: f32 = 0;
  for (let k = 0; k < 2 * n; k++) {
    const i = k < n ? k : k - n;
    const at = edges + <usize>(i << 4);
    const step = load<f32>(at, 4);
    const t = load<f32>(at);
    const fits = load<f32>(at, 12) != 0 && abs<f32>(t) <= close && step >= max(s.minContrast, 0.4 * s.contrast);
    run = fits ? 0 : run + 1;
    longest = max(longest, min(run, n));
    if (k >= n) continue;
    const cos = load<f32>(s.normals + <usize>(i << 3));
    const sin = load<f32>(s.normals + <usize>(i << 3), 4);
    if (load<f32>(at, 12) == 0) {
      if (isBeyond(s, cos * s.ea, sin * s.eb)) beyond++;
      continue;
    }
    if (step > 0.5 * s.contrast && step < 2 * s.contrast) steady++;
    const bent: f32 = step >= 0.4 * s.contrast ? t : 0;
    const cos2: f32 = cos * cos - sin * sin;
    const sin2: f32 = 2.0 * cos * sin;
    c3 += bent * (cos2 * cos - sin2 * sin);
    s3 += bent * (sin2 * cos + cos2 * sin);
    c4 += bent * (cos2 * cos2 - sin2 * sin2);
    s4 += bent * (2 * cos2 * sin2);
    if (!fits) continue;
    const from = <usize>(i << 2);
    const x = load<f32>(s.qx + from);
    const y = load<f32>(s.qy + from);
    store<f32>(s.qx + <usize>(good << 2), x);
    store<f32>(s.qy + <usize>(good << 2), y);
    good++;
    squares += t * t;
    const nx = s.eb * cos * s.eux + s.ea * sin * vx;
    const ny = s.eb * cos * s.euy + s.ea * sin * vy;
    const inverse: f32 = 1 / sqrt<f32>(nx * nx + ny * ny);
    const along = alignment(s, x, y, nx * inverse, ny * inverse);
    if (along > -1.5) {
      aligned += along;
      alignedCount++;
    }
  }
  s.qn = good;
  s.support = <f32>good / <f32>seen;
  s.steady = <f32>steady / <f32>seen;
  memory.fill(histogram, 0, 1024);
  gatherLevels(s, 0.2, histogram);
  gatherLevels(s, 0.4, histogram);
  gatherLevels(s, 0.6, histogram);
  gatherLevels(s, 0.8, histogram);
  s.inside = percentile(histogram, 0.5);
  s.insideRange = percentile(histogram, 0.9) - percentile(histogram, 0.1);
  const high = percentile(histogram, 0.75);
  memory.fill(histogram, 0, 1024);
  const outwards = max<f32>(0.08, 4 / size);
  gatherLevels(s, 1 + outwards, histogram);
  gatherLevels(s, 1.05 + outwards, histogram);
  // If the ring outside is as dark as the inside, the outline leaks: corners, strips, shadows.
  let leaking: u32 = 0;
  let ring: u32 = 0;
  const border = <i32>(s.inside + 0.35 * s.contrast);
  for (let v = 0; v < 256; v++) {
    const count = load<u32>(histogram + ((<usize>v) << 2));
    ring += count;
    if (v <= border) leaking += count;
  }
  const leak: f32 = ring ? <f32>leaking / <f32>ring : 1;
  s.gap = percentile(histogram, 0.25) - high;
  const around = percentile(histogram, 0.5);
  memory.fill(histogram, 0, 1024);
  gatherLevels(s, 1.35, histogram);
  gatherLevels(s, 1.5, histogram);
  const farLow = percentile(histogram, 0.2);
  const c = max<f32>(s.contrast, 1);
  const diagonal = sqrt<f32>(<f32>(s.width * s.width + s.height * s.height));
  const bend: f32 = (2 * (sqrt<f32>(c3 * c3 + s3 * s3) + sqrt<f32>(c4 * c4 + s4 * s4))) / <f32>seen;
  const rest = s.inside - s.dark;
  put(s, 0, 1);
  put(s, 1, s.support);
  put(s, 2, s.support * s.support);
  put(s, 3, s.steady);
  put(s, 4, s.support * s.steady);
  put(s, 5, s.visible);
  put(s, 6, min<f32>(s.spread / size, 0.1));
  put(s, 7, min<f32>(s.spread, 3));
  put(s, 8, min<f32>(s.insideRange / c, 3));
  put(s, 9, clamp(s.gap / c, -2, 1.5));
  put(s, 10, clamp(rest, 0, 80));
  put(s, 11, s.eb / s.ea);
  put(s, 12, <f32>longest / <f32>n);
  put(s, 13, alignedCount ? aligned / <f32>alignedCount : 0);
  put(s, 14, min<f32>(c / max<f32>(around - s.inside, 1), 2));
  put(s, 15, clamp(size / diagonal, 0.02, 0.06));
  put(s, 16, max<f32>(0, size / diagonal - 0.12));
  put(s, 17, clamp(c, 8, 40));
  put(s, 18, clamp(rest / c, 0, 4));
  put(s, 19, clamp((farLow - s.inside) / c, -1, 3));
  put(s, 20, good ? min<f32>(sqrt<f32>(squares / <f32>good), 2) : 2);
  put(s, 21, leak);
  put(s, 22, max<f32>(0, leak - 0.25));
  put(s, 23, min<f32>(bend / size, 0.05));
  put(s, 24, min<f32>(bend, 2));
  put(s, 25, <f32>beyond / <f32>n);
  let z: f32 = 0;
  for (let i: usize = 0; i < (<usize>s.featureCount) << 2; i += 4)
    z += load<f32>(s.features + i) * load<f32>(s.weights + i);
  s.score = max<f32>(-30, min<f32>(30, z));
}
