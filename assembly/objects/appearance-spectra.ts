// Correlation filters in the Fourier domain (Bolme et al. 2010; Danelljan et al. 2014). A channel is 32x32 f32. Its
// spectrum is stored for the horizontal frequencies 0..16, with 32 vertical ones each: 544 real parts, then 544
// imaginary ones.

const N: i32 = 32;
const HALF: i32 = 17;
const ROW: usize = 128;
const PLANE: usize = 4096;
const KEPT: i32 = HALF * N;
/** Bytes of the real parts of a spectrum, and of a whole one. */
const PART: usize = <usize>(KEPT * 4);
const SPECTRUM: usize = 2 * PART;

/** Real and imaginary part of a twiddle times p + i q. */
function timesRe(p: v128, q: v128, c: v128, s: v128): v128 {
  return f32x4.sub(f32x4.mul(p, c), f32x4.mul(q, s));
}

function timesIm(p: v128, q: v128, c: v128, s: v128): v128 {
  return f32x4.add(f32x4.mul(p, s), f32x4.mul(q, c));
}

/**
 * 32 transforms of length 32 down the columns, in place, rows already in bit-reversed order. The plane of imaginary
 * parts follows the real one. twiddles: cos and sin of 2 pi k / 32, k = 0..15, f32 each. `sign` -1 forward, 1 back. Two
 * steps are combined, which halves the memory traffic.
 */
function columns(re: usize, twiddles: usize, sign: f32): void {
  for (let i: usize = 0; i < 8; i++) firstSteps(re + 4 * ROW * i, twiddles, sign);
  for (let j: usize = 0; j < 4; j++) {
    middleSteps(re + ROW * j, twiddles, j, sign);
    middleSteps(re + ROW * (j + 16), twiddles, j, sign);
  }
  for (let j: usize = 0; j < 16; j++) lastStep(re + ROW * j, twiddles + (j << 3), sign);
}

/** Rows 0 to 3 from here: by 1, where the twiddle is 1, and by 2 with twiddles 0 (also 1) and 8. */
function firstSteps(p: usize, twiddles: usize, sign: f32): void {
  const c = v128.load32_splat(twiddles, 64);
  const s = f32x4.splat(sign * load<f32>(twiddles, 68));
  for (let x: usize = 0; x < ROW; x += 16, p += 16) {
    const r0 = v128.load(p);
    const r1 = v128.load(p, ROW);
    const r2 = v128.load(p, 2 * ROW);
    const r3 = v128.load(p, 3 * ROW);
    const i0 = v128.load(p, PLANE);
    const i1 = v128.load(p, PLANE + ROW);
    const i2 = v128.load(p, PLANE + 2 * ROW);
    const i3 = v128.load(p, PLANE + 3 * ROW);
    const sumR = f32x4.add(r0, r1);
    const sumI = f32x4.add(i0, i1);
    const lessR = f32x4.sub(r0, r1);
    const lessI = f32x4.sub(i0, i1);
    const nextR = f32x4.add(r2, r3);
    const nextI = f32x4.add(i2, i3);
    const otherR = f32x4.sub(r2, r3);
    const otherI = f32x4.sub(i2, i3);
    const turnR = timesRe(otherR, otherI, c, s);
    const turnI = timesIm(otherR, otherI, c, s);
    v128.store(p, f32x4.add(sumR, nextR));
    v128.store(p, f32x4.add(lessR, turnR), ROW);
    v128.store(p, f32x4.sub(sumR, nextR), 2 * ROW);
    v128.store(p, f32x4.sub(lessR, turnR), 3 * ROW);
    v128.store(p, f32x4.add(sumI, nextI), PLANE);
    v128.store(p, f32x4.add(lessI, turnI), PLANE + ROW);
    v128.store(p, f32x4.sub(sumI, nextI), PLANE + 2 * ROW);
    v128.store(p, f32x4.sub(lessI, turnI), PLANE + 3 * ROW);
  }
}

/** Rows 0, 4, 8 and 12 from here: by 4 with twiddle 4 j, and by 8 with 2 j and 2 j + 8. */
function middleSteps(p: usize, twiddles: usize, j: usize, sign: f32): void {
  const first = twiddles + (j << 5);
  const second = twiddles + (j << 4);
  const c = v128.load32_splat(first);
  const s = f32x4.splat(sign * load<f32>(first, 4));
  const c0 = v128.load32_splat(second);
  const s0 = f32x4.splat(sign * load<f32>(second, 4));
  const c4 = v128.load32_splat(second, 64);
  const s4 = f32x4.splat(sign * load<f32>(second, 68));
  for (let x: usize = 0; x < ROW; x += 16, p += 16) {
    const r0 = v128.load(p);
    const i0 = v128.load(p, PLANE);
    const r1 = v128.load(p, 4 * ROW);
    const i1 = v128.load(p, PLANE + 4 * ROW);
    const turn1R = timesRe(r1, i1, c, s);
    const turn1I = timesIm(r1, i1, c, s);
    const sumR = f32x4.add(r0, turn1R);
    const sumI = f32x4.add(i0, turn1I);
    const lessR = f32x4.sub(r0, turn1R);
    const lessI = f32x4.sub(i0, turn1I);
    const r2 = v128.load(p, 8 * ROW);
    const i2 = v128.load(p, PLANE + 8 * ROW);
    const r3 = v128.load(p, 12 * ROW);
    const i3 = v128.load(p, PLANE + 12 * ROW);
    const turn3R = timesRe(r3, i3, c, s);
    const turn3I = timesIm(r3, i3, c, s);
    const nextR = f32x4.add(r2, turn3R);
    const nextI = f32x4.add(i2, turn3I);
    const otherR = f32x4.sub(r2, turn3R);
    const otherI = f32x4.sub(i2, turn3I);
    const turn0R = timesRe(nextR, nextI, c0, s0);
    const turn0I = timesIm(nextR, nextI, c0, s0);
    v128.store(p, f32x4.add(sumR, turn0R));
    v128.store(p, f32x4.add(sumI, turn0I), PLANE);
    v128.store(p, f32x4.sub(sumR, turn0R), 8 * ROW);
    v128.store(p, f32x4.sub(sumI, turn0I), PLANE + 8 * ROW);
    const turn4R = timesRe(otherR, otherI, c4, s4);
    const turn4I = timesIm(otherR, otherI, c4, s4);
    v128.store(p, f32x4.add(lessR, turn4R), 4 * ROW);
    v128.store(p, f32x4.add(lessI, turn4I), PLANE + 4 * ROW);
    v128.store(p, f32x4.sub(lessR, turn4R), 12 * ROW);
    v128.store(p, f32x4.sub(lessI, turn4I), PLANE + 12 * ROW);
  }
}

/** Rows 0 and 16 from here. */
function lastStep(p: usize, twiddle: usize, sign: f32): void {
  const c = v128.load32_splat(twiddle);
  const s = f32x4.splat(sign * load<f32>(twiddle, 4));
  for (let x: usize = 0; x < ROW; x += 16, p += 16) {
    const ur = v128.load(p);
    const ui = v128.load(p, PLANE);
    const vr = v128.load(p, 16 * ROW);
    const vi = v128.load(p, PLANE + 16 * ROW);
    const tr = timesRe(vr, vi, c, s);
    const ti = timesIm(vr, vi, c, s);
    v128.store(p, f32x4.add(ur, tr));
    v128.store(p, f32x4.add(ui, ti), PLANE);
    v128.store(p, f32x4.sub(ur, tr), 16 * ROW);
    v128.store(p, f32x4.sub(ui, ti), PLANE + 16 * ROW);
  }
}

function reversed(i: i32): i32 {
  return ((i & 1) << 4) | ((i & 2) << 2) | (i & 4) | ((i & 8) >> 2) | ((i & 16) >> 4);
}

/**
 * Transposes `from` into `to`. `second` and `third` are the distances of the second row of four and of the third from
 * the first.
 */
function transposedRows(from: usize, to: usize, second: usize, third: usize): void {
  for (let x: usize = 0; x < ROW; x += 16, from += 4 * ROW, to += 16) {
    const a = v128.load(from);
    const b = v128.load(from, ROW);
    const c = v128.load(from, 2 * ROW);
    const d = v128.load(from, 3 * ROW);
    const ab = v128.shuffle<f32>(a, b, 0, 4, 1, 5);
    const cd = v128.shuffle<f32>(c, d, 0, 4, 1, 5);
    const abHigh = v128.shuffle<f32>(a, b, 2, 6, 3, 7);
    const cdHigh = v128.shuffle<f32>(c, d, 2, 6, 3, 7);
    v128.store(to, v128.shuffle<i64>(ab, cd, 0, 2));
    v128.store(to + second, v128.shuffle<i64>(ab, cd, 1, 3));
    v128.store(to + third, v128.shuffle<i64>(abHigh, cdHigh, 0, 2));
    v128.store(to + third + second, v128.shuffle<i64>(abHigh, cdHigh, 1, 3));
  }
}

/** Transposes `from` into `to`, whose rows are in bit-reversed order. */
function turned(from: usize, to: usize): void {
  for (let y = 0; y < N; y += 4)
    transposedRows(from + <usize>(y << 2), to + ROW * <usize>reversed(y), 16 * ROW, 8 * ROW);
}

/** Four values in reverse order. */
function backwards(p: usize): v128 {
  const values = v128.load(p);
  return v128.shuffle<f32>(values, values, 3, 2, 1, 0);
}

/** Values 0, 31, 30 and 29 of a row. */
function firstMirrored(row: usize): v128 {
  return v128.shuffle<f32>(v128.load(row), v128.load(row, ROW - 16), 0, 7, 6, 5);
}

/** Four values each of the spectra of two channels, from the combined spectrum and its mirrored values. */
function unpack(z: usize, mr: v128, mi: v128, out: usize): void {
  const half = f32x4.splat(0.5);
  const zr = v128.load(z);
  const zi = v128.load(z, PLANE);
  v128.store(out, f32x4.mul(half, f32x4.add(zr, mr)));
  v128.store(out, f32x4.mul(half, f32x4.sub(zi, mi)), PART);
  v128.store(out, f32x4.mul(half, f32x4.add(zi, mi)), SPECTRUM);
  v128.store(out, f32x4.mul(half, f32x4.sub(mr, zr)), SPECTRUM + PART);
}

export function channelSpectraScratch(): i32 {
  return 4 * <i32>PLANE;
}

/**
 * Spectra of an even number of channels, each first multiplied by `weights` (32x32 f32). Two real channels are
 * transformed as one complex one.
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
    columns(re, twiddles, -1);
    turned(re, turnedRe);
    turned(im, turnedIm);
    columns(turnedRe, twiddles, -1);
    // Rows are horizontal frequencies now. Z(k) = A(k) + i B(k), and A, B are Hermitian.
    for (let u = 0; u < HALF; u++) {
      const row = ROW * <usize>u;
      const mirrorRow = turnedRe + ROW * <usize>((N - u) & (N - 1));
      unpack(turnedRe + row, firstMirrored(mirrorRow), firstMirrored(mirrorRow + PLANE), out + row);
      for (let v: usize = 16; v < ROW; v += 16) {
        const mirror = mirrorRow + ROW - 12 - v;
        unpack(turnedRe + row + v, backwards(mirror), backwards(mirror + PLANE), out + row + v);
      }
    }
  }
  return 0;
}

/**
 * Mixes one example into a filter with the share `rate`. Numerators are label * spectrum, denominators the sum of
 * |spectrum|^2. label: 544 f32, the real spectrum of the target response, which is even.
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
  for (let u = HALF; u < N; u++) {
    const row = ROW * <usize>u;
    const mirrorRow = re + ROW * <usize>(N - u);
    v128.store(re + row, firstMirrored(mirrorRow));
    v128.store(im + row, f32x4.neg(firstMirrored(mirrorRow + PLANE)));
    for (let v: usize = 16; v < ROW; v += 16) {
      const mirror = mirrorRow + ROW - 12 - v;
      v128.store(re + row + v, backwards(mirror));
      v128.store(im + row + v, f32x4.neg(backwards(mirror + PLANE)));
    }
  }
  // Rows are horizontal frequencies: along them first.
  turned(re, turnedRe);
  turned(im, turnedIm);
  columns(turnedRe, twiddles, 1);
  turned(turnedRe, re);
  turned(turnedIm, im);
  columns(re, twiddles, 1);
  // Rows are columns of the image now.
  for (let y: usize = 0; y < ROW; y += 16) transposedRows(re + y, out + ROW * (y >> 2), ROW, 2 * ROW);
  return 0;
}

/** Converts the two consecutive channels at `spectra` to planes. scratch: 16,384 bytes. */
export function planesOf(spectra: usize, twiddles: usize, out: usize, scratch: usize): void {
  const re = scratch;
  const im = scratch + PLANE;
  const turnedRe = scratch + 2 * PLANE;
  const turnedIm = scratch + 3 * PLANE;
  const scale = f32x4.splat(1.0 / 1024.0);
  for (let u = 0; u < HALF; u++) {
    const row = ROW * <usize>u;
    for (let v: usize = 0; v < ROW; v += 16) {
      const p = spectra + row + v;
      const ar = f32x4.mul(scale, v128.load(p));
      const ai = f32x4.mul(scale, v128.load(p, PART));
      const br = f32x4.mul(scale, v128.load(p, SPECTRUM));
      const bi = f32x4.mul(scale, v128.load(p, SPECTRUM + PART));
      v128.store(re + row + v, f32x4.sub(ar, bi));
      v128.store(im + row + v, f32x4.add(ai, br));
      // Value of the mirrored frequency.
      v128.store(turnedRe + v, f32x4.add(ar, bi));
      v128.store(turnedIm + v, f32x4.sub(br, ai));
    }
    if (u == 0 || u == N / 2) continue;
    const mirror = ROW * <usize>(N - u);
    v128.store(re + mirror, firstMirrored(turnedRe));
    v128.store(im + mirror, firstMirrored(turnedIm));
    for (let v: usize = 16; v < ROW; v += 16) {
      v128.store(re + mirror + v, backwards(turnedRe + ROW - 12 - v));
      v128.store(im + mirror + v, backwards(turnedIm + ROW - 12 - v));
    }
  }
  turned(re, turnedRe);
  turned(im, turnedIm);
  columns(turnedRe, twiddles, 1);
  turned(turnedRe, re);
  turned(turnedIm, im);
  columns(re, twiddles, 1);
  for (let y: usize = 0; y < ROW; y += 16) {
    transposedRows(re + y, out + ROW * (y >> 2), ROW, 2 * ROW);
    transposedRows(im + y, out + PLANE + ROW * (y >> 2), ROW, 2 * ROW);
  }
}
