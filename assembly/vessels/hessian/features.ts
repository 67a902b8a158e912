// Features of a pixel from its eigenvalues: line or blob (paper 003, figure 1), and Frangi's vesselness of one scale,
// combined with the previous scales. Eigenvalues are ordered |l1| <= |l2|. All planes have one stride.

/** e^-x of four non-negative values: 2^n times the series of 2^f, |f| <= 1/2, to 2e-7. */
function decay(x: v128): v128 {
  const t = f32x4.max(f32x4.mul(x, f32x4.splat(-1.44269504)), f32x4.splat(-126));
  const n = f32x4.nearest(t);
  const f = f32x4.sub(t, n);
  let s = f32x4.splat(0.000154035304);
  s = f32x4.add(f32x4.mul(s, f), f32x4.splat(0.00133335581));
  s = f32x4.add(f32x4.mul(s, f), f32x4.splat(0.00961812911));
  s = f32x4.add(f32x4.mul(s, f), f32x4.splat(0.0555041087));
  s = f32x4.add(f32x4.mul(s, f), f32x4.splat(0.240226507));
  s = f32x4.add(f32x4.mul(s, f), f32x4.splat(0.693147181));
  s = f32x4.add(f32x4.mul(s, f), f32x4.splat(1));
  const power = i32x4.shl(i32x4.add(i32x4.trunc_sat_f32x4_s(n), i32x4.splat(127)), 23);
  return f32x4.mul(s, power);
}

/**
 * Rows y0..y1-1 of the strength of a line or a blob, 0 if there is none, times |factor|. The sign of the factor is the
 * sign of the target eigenvalues: positive for dark ones. `target` may be one of the sources.
 */
export function lineOrBlob(
  first: usize,
  second: usize,
  target: usize,
  stride: i32,
  width: i32,
  factor: f32,
  blob: i32,
  y0: i32,
  y1: i32,
  scratch: usize,
): i32 {
  const gain = f32x4.splat(factor);
  const zero = f32x4.splat(0);
  for (let y = y0; y < y1; y++) {
    const row = <usize>(y * stride);
    for (let x = row, end = row + ((<usize>width) << 2); x < end; x += 16) {
      const a = f32x4.mul(gain, v128.load(first + x));
      const b = f32x4.mul(gain, v128.load(second + x));
      const value = blob ? f32x4.min(a, b) : f32x4.sub(b, f32x4.abs(a));
      v128.store(target + x, f32x4.max(zero, value));
    }
  }
  return 0;
}

/** Parameters of Frangi's measure at one scale. */
@unmanaged
export class VesselnessTerms {
  /** sigma^2, negative for bright lines. */
  factor: f32;
  /** 1 / (2 beta^2) */
  round: f32;
  /** 1 / (2 c^2) */
  faint: f32;
  sigma: f32;
  /** 1: the targets are still empty. */
  fresh: i32;
}

/**
 * Rows y0..y1-1 of Frangi's measure (1998, equation 15, two dimensions) at one scale. Replaces smaller values in
 * `best`, and writes sigma to `scales` there unless that is 0.
 */
export function vesselness(
  first: usize,
  second: usize,
  best: usize,
  scales: usize,
  stride: i32,
  width: i32,
  terms: usize,
  y0: i32,
  y1: i32,
  scratch: usize,
): i32 {
  const t = changetype<VesselnessTerms>(terms);
  const gain = f32x4.splat(t.factor);
  const round = f32x4.splat(t.round);
  const faint = f32x4.splat(t.faint);
  const own = f32x4.splat(t.sigma);
  const fresh = t.fresh;
  const zero = f32x4.splat(0);
  const one = f32x4.splat(1);
  for (let y = y0; y < y1; y++) {
    const row = <usize>(y * stride);
    for (let x = row, end = row + ((<usize>width) << 2); x < end; x += 16) {
      const a = f32x4.mul(gain, v128.load(first + x));
      const b = f32x4.mul(gain, v128.load(second + x));
      const ratio = f32x4.div(a, b);
      const square = f32x4.add(f32x4.mul(a, a), f32x4.mul(b, b));
      const thin = decay(f32x4.mul(f32x4.mul(ratio, ratio), round));
      const clear = f32x4.sub(one, decay(f32x4.mul(square, faint)));
      const value = v128.and(f32x4.mul(thin, clear), f32x4.gt(b, zero));
      const old = fresh ? zero : v128.load(best + x);
      const larger = f32x4.gt(value, old);
      v128.store(best + x, v128.bitselect(value, old, larger));
      if (scales) v128.store(scales + x, v128.bitselect(own, fresh ? zero : v128.load(scales + x), larger));
    }
  }
  return 0;
}
