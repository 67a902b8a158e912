// Correlation filters in the Fourier domain (Bolme et al. 2010; Danelljan et al. 2014). A channel is 32x32 f32. Its
// spectrum is kept for the horizontal frequencies 0..16, 32 vertical ones each: 544 real parts, then 544 imaginary ones.

const N: i32 = 32;
const HALF: i32 = 17;
const ROW: usize = 128;
const PLANE: usize = 4096;
const KEPT: i32 = HALF * N;
/** Bytes of the real parts of a spectrum, and of a whole one. */
const PART: usize = <usize>(KEPT * 4);
const SPECTRUM: usize = 2 * PART;

/**
 * 32 transforms of length 32 down the columns, in place, rows already in bit-reversed order. twiddles: cos and sin of
 * 2 pi k / 32, k = 0..15, f32 each; `sign` -1 forth, 1 back.
 */
function columns(re: usize, im: usize, twiddles: usize, sign: f32): void {
  for (let half = 1; half < N; half <<= 1) {
    const turn = 16 / half;
    for (let j = 0; j < half; j++) {
      const twiddle = twiddles + <usize>((j * turn) << 3);
      const c = f32x4.splat(load<f32>(twiddle));
      const s = f32x4.splat(sign * load<f32>(twiddle, 4));
      for (let first = j; first < N; first += half << 1) {
        const a = ROW * <usize>first;
        const b = ROW * <usize>(first + half);
        for (let x: usize = 0; x < ROW; x += 16) {
          const ar = re + a + x;
          const ai = im + a + x;
          const br = re + b + x;
          const bi = im + b + x;
          const pr = v128.load(br);
          const pi = v128.load(bi);
          const tr = f32x4.sub(f32x4.mul(pr, c), f32x4.mul(pi, s));
          const ti = f32x4.add(f32x4.mul(pr, s), f32x4.mul(pi, c));
          const ur = v128.load(ar);
          const ui = v128.load(ai);
          v128.store(ar, f32x4.add(ur, tr));
          v128.store(ai, f32x4.add(ui, ti));
          v128.store(br, f32x4.sub(ur, tr));
          v128.store(bi, f32x4.sub(ui, ti));
        }
      }
    }
  }
}

function reversed(i: i32): i32 {
  return ((i & 1) << 4) | ((i & 2) << 2) | (i & 4) | ((i & 8) >> 2) | ((i & 16) >> 4);
}

/** Transposes `from` into `to`, whose rows come in bit-reversed order. */
function turned(from: usize, to: usize): void {
  for (let y = 0; y < N; y++) {
    const row = to + ROW * <usize>reversed(y);
    const column = from + <usize>(y << 2);
    for (let x = 0; x < N; x++) store<f32>(row + <usize>(x << 2), load<f32>(column + ROW * <usize>x));
  }
}

/**
 * Spectra of an even number of channels, each multiplied by `weights` (32x32 f32) first. Two real channels are
 * transformed as one complex one. scratch: 16,384 bytes.
 */
export function channelSpectra(
  channels: usize,
  count: i32,
  weights: usize,
  twiddles: usize,
  out: usize,
  scratch: usize,
): i32 {
  const re = scratch;
  const im = scratch + PLANE;
  const turnedRe = scratch + 2 * PLANE;
  const turnedIm = scratch + 3 * PLANE;
  for (let n = 0; n < count; n += 2, channels += 2 * PLANE, out += 2 * SPECTRUM) {
    for (let y = 0; y < N; y++) {
      const from = ROW * <usize>y;
      const to = ROW * <usize>reversed(y);
      for (let x: usize = 0; x < ROW; x += 16) {
        const w = v128.load(weights + from + x);
        v128.store(re + to + x, f32x4.mul(w, v128.load(channels + from + x)));
        v128.store(im + to + x, f32x4.mul(w, v128.load(channels + PLANE + from + x)));
      }
    }
    columns(re, im, twiddles, -1);
    turned(re, turnedRe);
    turned(im, turnedIm);
    columns(turnedRe, turnedIm, twiddles, -1);
    // Rows are horizontal frequencies now. Z(k) = A(k) + i B(k), and A, B are Hermitian.
    for (let u = 0; u < HALF; u++) {
      const mirrorRow = ROW * <usize>((N - u) & (N - 1));
      for (let v = 0; v < N; v++) {
        const at = ROW * <usize>u + <usize>(v << 2);
        const mirror = mirrorRow + <usize>(((N - v) & (N - 1)) << 2);
        const zr = load<f32>(turnedRe + at);
        const zi = load<f32>(turnedIm + at);
        const mr = load<f32>(turnedRe + mirror);
        const mi = load<f32>(turnedIm + mirror);
        const o = out + at;
        store<f32>(o, 0.5 * (zr + mr));
        store<f32>(o + PART, 0.5 * (zi - mi));
        store<f32>(o + SPECTRUM, 0.5 * (zi + mi));
        store<f32>(o + SPECTRUM + PART, 0.5 * (mr - zr));
      }
    }
  }
  return 0;
}

/**
 * Mixes one example into a filter with the share `rate`: numerators label * spectrum, denominators sum of |spectrum|^2
 * (label: 544 f32, the real spectrum of the wished response, which is even).
 */
export function filterLearn(
  spectra: usize,
  count: i32,
  label: usize,
  numerators: usize,
  denominators: usize,
  rate: f32,
): i32 {
  const r = f32x4.splat(rate);
  const keep = f32x4.splat(1 - rate);
  for (let at: usize = 0; at < PART; at += 16) {
    const y = f32x4.mul(r, v128.load(label + at));
    let energy = f32x4.splat(0);
    let p = at;
    for (let n = 0; n < count; n++, p += SPECTRUM) {
      const re = v128.load(spectra + p);
      const im = v128.load(spectra + p + PART);
      energy = f32x4.add(energy, f32x4.add(f32x4.mul(re, re), f32x4.mul(im, im)));
      const toRe = numerators + p;
      const toIm = toRe + PART;
      v128.store(toRe, f32x4.add(f32x4.mul(keep, v128.load(toRe)), f32x4.mul(y, re)));
      v128.store(toIm, f32x4.add(f32x4.mul(keep, v128.load(toIm)), f32x4.mul(y, im)));
    }
    const d = denominators + at;
    v128.store(d, f32x4.add(f32x4.mul(keep, v128.load(d)), f32x4.mul(r, energy)));
  }
  return 0;
}

/** The response of a filter to spectra, 32x32 f32, displacement 0 first (columns and rows wrap). scratch: 16,384 bytes. */
export function filterResponse(
  spectra: usize,
  count: i32,
  numerators: usize,
  denominators: usize,
  lambda: f32,
  twiddles: usize,
  out: usize,
  scratch: usize,
): i32 {
  const re = scratch;
  const im = scratch + PLANE;
  const turnedRe = scratch + 2 * PLANE;
  const turnedIm = scratch + 3 * PLANE;
  const l = f32x4.splat(lambda);
  for (let at: usize = 0; at < PART; at += 16) {
    let sumRe = f32x4.splat(0);
    let sumIm = f32x4.splat(0);
    let p = at;
    for (let n = 0; n < count; n++, p += SPECTRUM) {
      const ar = v128.load(numerators + p);
      const ai = v128.load(numerators + p + PART);
      const br = v128.load(spectra + p);
      const bi = v128.load(spectra + p + PART);
      sumRe = f32x4.add(sumRe, f32x4.add(f32x4.mul(ar, br), f32x4.mul(ai, bi)));
      sumIm = f32x4.add(sumIm, f32x4.sub(f32x4.mul(ar, bi), f32x4.mul(ai, br)));
    }
    const share = f32x4.div(f32x4.splat(1.0 / 1024.0), f32x4.add(l, v128.load(denominators + at)));
    v128.store(re + at, f32x4.mul(sumRe, share));
    v128.store(im + at, f32x4.mul(sumIm, share));
  }
  for (let u = HALF; u < N; u++)
    for (let v = 0; v < N; v++) {
      const at = ROW * <usize>u + <usize>(v << 2);
      const mirror = ROW * <usize>(N - u) + <usize>(((N - v) & (N - 1)) << 2);
      store<f32>(re + at, load<f32>(re + mirror));
      store<f32>(im + at, -load<f32>(im + mirror));
    }
  // Rows are horizontal frequencies: along them first.
  turned(re, turnedRe);
  turned(im, turnedIm);
  columns(turnedRe, turnedIm, twiddles, 1);
  turned(turnedRe, re);
  turned(turnedIm, im);
  columns(re, im, twiddles, 1);
  // Rows are columns of the picture now.
  for (let y = 0; y < N; y++)
    for (let x = 0; x < N; x++)
      store<f32>(out + ROW * <usize>y + <usize>(x << 2), load<f32>(re + ROW * <usize>x + <usize>(y << 2)));
  return 0;
}
