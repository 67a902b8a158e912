// Direct least-squares ellipse (Fitzgibbon, Pilu, Fisher 1999, in the numerically stable form of Halir and Flusser
// 1998; golden group 15b). Points are centered and scaled to rms 1 per axis. The quadratic part (a, b, c) of the conic
// is the eigenvector of M = C1^-1 (S1 - S2 S3^-1 S2') that satisfies 4ac - b^2 > 0. M's eigenvalues are real. They are
// computed from its characteristic cubic by Newton's iteration from beyond the largest root and deflation.
import { Search } from './search';

/** Fits the first n points of a list. Fills s.ex .. s.euy and s.ellipse. Returns false if there is no ellipse. */
export function fitEllipse(s: Search, xs: usize, ys: usize, n: i32): bool {
  s.ellipse = 0;
  if (n < 5) return false; // five points determine exactly one conic
  let mx: f64 = 0;
  let my: f64 = 0;
  for (let i: usize = 0; i < (<usize>n) << 2; i += 4) {
    mx += load<f32>(xs + i);
    my += load<f32>(ys + i);
  }
  mx /= <f64>n;
  my /= <f64>n;
  let rms: f64 = 0;
  for (let i: usize = 0; i < (<usize>n) << 2; i += 4) {
    const x = <f64>load<f32>(xs + i) - mx;
    const y = <f64>load<f32>(ys + i) - my;
    rms += x * x + y * y;
  }
  rms = sqrt(rms / <f64>(2 * n));
  if (!(rms > 1e-6)) return false;
  const scale = 1 / rms;
  // Moments up to the fourth order.
  let x4: f64 = 0;
  let x3y: f64 = 0;
  let x2y2: f64 = 0;
  let xy3: f64 = 0;
  let y4: f64 = 0;
  let x3: f64 = 0;
  let x2y: f64 = 0;
  let xy2: f64 = 0;
  let y3: f64 = 0;
  let x2: f64 = 0;
  let xy: f64 = 0;
  let y2: f64 = 0;
  for (let i: usize = 0; i < (<usize>n) << 2; i += 4) {
    const x = (<f64>load<f32>(xs + i) - mx) * scale;
    const y = (<f64>load<f32>(ys + i) - my) * scale;
    const xxv = x * x;
    const yyv = y * y;
    x4 += xxv * xxv;
    x3y += xxv * x * y;
    x2y2 += xxv * yyv;
    xy3 += x * y * yyv;
    y4 += yyv * yyv;
    x3 += xxv * x;
    x2y += xxv * y;
    xy2 += x * yyv;
    y3 += yyv * y;
    x2 += xxv;
    xy += x * y;
    y2 += yyv;
  }
  const count = <f64>n;
  // S3 = [x2 xy 0; xy y2 0; 0 0 n] because the points are centered.
  const det = x2 * y2 - xy * xy;
  if (!(det > 1e-12 * count * count)) return false; // collinear
  const i00 = y2 / det;
  const i01 = -xy / det;
  const i11 = x2 / det;
  // T = -S3^-1 S2' (3 x 3): linear part from the quadratic part. S2 rows: (x3 x2y x2) (x2y xy2 xy) (xy2 y3 y2).
  const t00 = -(i00 * x3 + i01 * x2y);
  const t01 = -(i00 * x2y + i01 * xy2);
  const t02 = -(i00 * xy2 + i01 * y3);
  const t10 = -(i01 * x3 + i11 * x2y);
  const t11 = -(i01 * x2y + i11 * xy2);
  const t12 = -(i01 * xy2 + i11 * y3);
  const t20 = -x2 / count;
  const t21 = -xy / count;
  const t22 = -y2 / count;
  // R = S1 + S2 T.
  const r00 = x4 + x3 * t00 + x2y * t10 + x2 * t20;
  const r01 = x3y + x3 * t01 + x2y * t11 + x2 * t21;
  const r02 = x2y2 + x3 * t02 + x2y * t12 + x2 * t22;
  const r10 = x3y + x2y * t00 + xy2 * t10 + xy * t20;
  const r11 = x2y2 + x2y * t01 + xy2 * t11 + xy * t21;
  const r12 = xy3 + x2y * t02 + xy2 * t12 + xy * t22;
  const r20 = x2y2 + xy2 * t00 + y3 * t10 + y2 * t20;
  const r21 = xy3 + xy2 * t01 + y3 * t11 + y2 * t21;
  const r22 = y4 + xy2 * t02 + y3 * t12 + y2 * t22;
  // M = C1^-1 R with C1 = [0 0 2; 0 -1 0; 2 0 0], scaled by 1/n.
  const k = 1 / count;
  const m00 = (r20 / 2) * k;
  const m01 = (r21 / 2) * k;
  const m02 = (r22 / 2) * k;
  const m10 = -r10 * k;
  const m11 = -r11 * k;
  const m12 = -r12 * k;
  const m20 = (r00 / 2) * k;
  const m21 = (r01 / 2) * k;
  const m22 = (r02 / 2) * k;
  // Characteristic polynomial l^3 - p l^2 + q l - d.
  const p = m00 + m11 + m22;
  const q = m00 * m11 - m01 * m10 + m00 * m22 - m02 * m20 + m11 * m22 - m12 * m21;
  const d = m00 * (m11 * m22 - m12 * m21) - m01 * (m10 * m22 - m12 * m20) + m02 * (m10 * m21 - m11 * m20);
  let root = 1 + max(abs(p), max(abs(q), abs(d))); // Cauchy's bound
  for (let i = 0; i < 100; i++) {
    const value = ((root - p) * root + q) * root - d;
    const slope = (3 * root - 2 * p) * root + q;
    if (slope == 0) break;
    const step = value / slope;
    root -= step;
    if (abs(step) <= 1e-15 * abs(root)) break;
  }
  // Deflated quadratic l^2 + (root - p) l + (root^2 - p root + q).
  const half = (root - p) / 2;
  const rest = (root - p) * root + q;
  const wide = sqrt(max<f64>(half * half - rest, 0));
  let found = false;
  let a: f64 = 0;
  let b: f64 = 0;
  let c: f64 = 0;
  let best: f64 = 0;
  for (let i = 0; i < 3; i++) {
    const l = i == 0 ? root : i == 1 ? -half + wide : -half - wide;
    // Eigenvector: the longest cross product of two rows of M - l I.
    const u0 = m00 - l;
    const v1 = m11 - l;
    const w2 = m22 - l;
    const c0x = m01 * m12 - m02 * v1;
    const c0y = m02 * m10 - u0 * m12;
    const c0z = u0 * v1 - m01 * m10;
    const c1x = m01 * w2 - m02 * m21;
    const c1y = m02 * m20 - u0 * w2;
    const c1z = u0 * m21 - m01 * m20;
    const c2x = v1 * w2 - m12 * m21;
    const c2y = m12 * m20 - m10 * w2;
    const c2z = m10 * m21 - v1 * m20;
    const n0 = c0x * c0x + c0y * c0y + c0z * c0z;
    const n1 = c1x * c1x + c1y * c1y + c1z * c1z;
    const n2 = c2x * c2x + c2y * c2y + c2z * c2z;
    let x = c0x;
    let y = c0y;
    let z = c0z;
    let norm = n0;
    if (n1 > norm) {
      x = c1x;
      y = c1y;
      z = c1z;
      norm = n1;
    }
    if (n2 > norm) {
      x = c2x;
      y = c2y;
      z = c2z;
      norm = n2;
    }
    if (!(norm > 0)) continue;
    const constraint = (4 * x * z - y * y) / norm;
    if (constraint > best) {
      best = constraint;
      const inverse = 1 / sqrt(norm);
      a = x * inverse;
      b = y * inverse;
      c = z * inverse;
      found = true;
    }
  }
  if (!found) return false;
  const dd = t00 * a + t01 * b + t02 * c;
  const ee = t10 * a + t11 * b + t12 * c;
  const ff = t20 * a + t21 * b + t22 * c;
  return conicToEllipse(s, a, b, c, dd, ee, ff, mx, my, rms);
}

/**
 * The ellipse through five points. The conics through four of them are u L12 L34 = v L13 L24 with the lines Lij through
 * two points. The result is the conic through the fifth point, which is the origin here. Fills s as fitEllipse does.
 * False if that conic is not an ellipse.
 */
export function ellipseThrough(s: Search, xs: usize, ys: usize): bool {
  s.ellipse = 0;
  const x5 = <f64>load<f32>(xs, 16);
  const y5 = <f64>load<f32>(ys, 16);
  const x1 = <f64>load<f32>(xs) - x5;
  const y1 = <f64>load<f32>(ys) - y5;
  const x2 = <f64>load<f32>(xs, 4) - x5;
  const y2 = <f64>load<f32>(ys, 4) - y5;
  const x3 = <f64>load<f32>(xs, 8) - x5;
  const y3 = <f64>load<f32>(ys, 8) - y5;
  const x4 = <f64>load<f32>(xs, 12) - x5;
  const y4 = <f64>load<f32>(ys, 12) - y5;
  // Lines as (y1 - y2) x + (x2 - x1) y + (x1 y2 - x2 y1).
  const a12 = y1 - y2;
  const b12 = x2 - x1;
  const c12 = x1 * y2 - x2 * y1;
  const a34 = y3 - y4;
  const b34 = x4 - x3;
  const c34 = x3 * y4 - x4 * y3;
  const a13 = y1 - y3;
  const b13 = x3 - x1;
  const c13 = x1 * y3 - x3 * y1;
  const a24 = y2 - y4;
  const b24 = x4 - x2;
  const c24 = x2 * y4 - x4 * y2;
  const u = c13 * c24;
  const v = c12 * c34;
  const ua = u * a12;
  const ub = u * b12;
  const va = v * a13;
  const vb = v * b13;
  const a = ua * a34 - va * a24;
  const b = ua * b34 + ub * a34 - va * b24 - vb * a24;
  const c = ub * b34 - vb * b24;
  const d = ua * c34 + u * c12 * a34 - va * c24 - v * c13 * a24;
  const e = ub * c34 + u * c12 * b34 - vb * c24 - v * c13 * b24;
  const norm = sqrt(a * a + b * b + c * c);
  if (!(norm > 0)) return false;
  return conicToEllipse(s, a / norm, b / norm, c / norm, d / norm, e / norm, 0, x5, y5, 1);
}

/** Center and axes of a x^2 + b xy + c y^2 + d x + e y + f = 0 in scaled coordinates. */
function conicToEllipse(s: Search, a: f64, b: f64, c: f64, d: f64, e: f64, f: f64, mx: f64, my: f64, rms: f64): bool {
  const disc = 4 * a * c - b * b;
  if (!(disc > 1e-9)) return false;
  const x = (b * e - 2 * c * d) / disc;
  const y = (b * d - 2 * a * e) / disc;
  const level = -(f + (d * x + e * y) / 2);
  const mean = (a + c) / 2;
  const diff = sqrt(((a - c) * (a - c) + b * b) / 4);
  const small = level / (mean + (mean > 0 ? diff : -diff)); // squared minor axis
  const large = level / (mean - (mean > 0 ? diff : -diff));
  if (!(small > 0 && large > 0)) return false;
  s.ex = <f32>(x * rms + mx);
  s.ey = <f32>(y * rms + my);
  s.ea = <f32>(sqrt(large) * rms);
  s.eb = <f32>(sqrt(small) * rms);
  // Major axis: eigenvector of [a b/2; b/2 c] with the eigenvalue of smaller magnitude.
  const l = mean - (mean > 0 ? diff : -diff);
  let ux = b / 2;
  let uy = l - a;
  if (abs(l - c) > abs(l - a)) {
    ux = l - c;
    uy = b / 2;
  }
  const length = sqrt(ux * ux + uy * uy);
  s.eux = length > 0 ? <f32>(ux / length) : 1;
  s.euy = length > 0 ? <f32>(uy / length) : 0;
  s.ellipse = 1;
  return true;
}

/**
 * Circle of the ellipse in s, to the second order of its flatness. A circle fitted to the border itself is off-center
 * if lids, lashes or reflections hide a part of a border that is not round.
 */
export function circleOfEllipse(s: Search): void {
  s.cx = s.ex;
  s.cy = s.ey;
  s.r = 0.5 * (s.ea + s.eb);
}
