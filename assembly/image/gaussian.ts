// Gaussian smoothing of 8-bit images, identical to OpenCV in every byte: an integer kernel of sum 256, no rounding
// between the passes, (sum + 32768) >> 16 at the end, border replicated.
//
// Columns first: sums v of at most 65280. v - 32640 fits signed 16 bits. The taps sum to 256, so the row sums of these
// values are S - 256 * 32640 = S + 2^15 - 2^23. This combines rounding and bias: the result is the high half plus 128.
// The row pass uses pairs of neighbors in one 16-bit dot product. The outputs at even and at odd positions need equal
// pairs with other taps, and their high halves interleave without sorting.

import { Register } from '../runtime/wasm/registers';

const BIAS: i32 = 32640;

/** Tap i of the kernel, 0 outside of it. */
function tap(taps: usize, radius: i32, i: i32): i32 {
  const distance = abs(i);
  return distance > radius ? 0 : <i32>load<u16>(taps + ((<usize>distance) << 1));
}

/** The taps i and i + 1, one pair for the dot product. */
function tapPair(taps: usize, radius: i32, i: i32): i32 {
  return (tap(taps, radius, i) & 0xffff) | (tap(taps, radius, i + 1) << 16);
}

function rowAt(source: usize, stride: i32, y: i32, height: i32): usize {
  return source + <usize>(min(max(y, 0), height - 1) * stride);
}

const EDGE: i32 = 64; // padding sums at both ends of a row of column sums

/** Column sums over five rows for two rows of outputs, minus the bias, written to p and q. Rows a..e and b..f. */
function sums5(
  a: usize,
  b: usize,
  c: usize,
  d: usize,
  e: usize,
  f: usize,
  p: usize,
  q: usize,
  width: i32,
  center: v128,
  near: v128,
  far: v128,
  bias: v128,
): void {
  for (let x = 0; x < width; x += 8, p += 16, q += 16) {
    const va = v128.load8x8_u(a + x);
    const vb = v128.load8x8_u(b + x);
    const vc = v128.load8x8_u(c + x);
    const vd = v128.load8x8_u(d + x);
    const ve = v128.load8x8_u(e + x);
    const vf = v128.load8x8_u(f + x);
    v128.store(
      p,
      i16x8.add(
        i16x8.sub(i16x8.mul(vc, center), bias),
        i16x8.add(i16x8.mul(i16x8.add(vb, vd), near), i16x8.mul(i16x8.add(va, ve), far)),
      ),
    );
    v128.store(
      q,
      i16x8.add(
        i16x8.sub(i16x8.mul(vd, center), bias),
        i16x8.add(i16x8.mul(i16x8.add(vc, ve), near), i16x8.mul(i16x8.add(vb, vf), far)),
      ),
    );
  }
}

/** Replicates the first and last of a row of column sums, `count` times each. */
function spread(sums: usize, width: i32, count: i32): void {
  const first = load<i16>(sums);
  const end = sums + ((width - 1) << 1);
  const last = load<i16>(end);
  for (let i = 2; i <= count << 1; i += 2) {
    store<i16>(sums - i, first);
    store<i16>(end + i, last);
  }
}

/** Row sums over five column sums. Writes their high halves to `out`. */
function rows5(
  sums: usize,
  out: usize,
  width: i32,
  e0: v128,
  e1: v128,
  e2: v128,
  o0: v128,
  o1: v128,
  o2: v128,
  sign: v128,
): void {
  for (let x = 0; x < width; x += 16, sums += 32) {
    let left = v128.load(sums - 4);
    let pairs = v128.load(sums);
    let right = v128.load(sums, 4);
    let even = i32x4.add(
      i32x4.add(i32x4.dot_i16x8_s(left, e0), i32x4.dot_i16x8_s(pairs, e1)),
      i32x4.dot_i16x8_s(right, e2),
    );
    let odd = i32x4.add(
      i32x4.add(i32x4.dot_i16x8_s(left, o0), i32x4.dot_i16x8_s(pairs, o1)),
      i32x4.dot_i16x8_s(right, o2),
    );
    const low = i16x8.shuffle(i32x4.shr_u(even, 16), odd, 0, 9, 2, 11, 4, 13, 6, 15);
    left = v128.load(sums, 12);
    pairs = v128.load(sums, 16);
    right = v128.load(sums, 20);
    even = i32x4.add(
      i32x4.add(i32x4.dot_i16x8_s(left, e0), i32x4.dot_i16x8_s(pairs, e1)),
      i32x4.dot_i16x8_s(right, e2),
    );
    odd = i32x4.add(i32x4.add(i32x4.dot_i16x8_s(left, o0), i32x4.dot_i16x8_s(pairs, o1)), i32x4.dot_i16x8_s(right, o2));
    const high = i16x8.shuffle(i32x4.shr_u(even, 16), odd, 0, 9, 2, 11, 4, 13, 6, 15);
    v128.store(out + x, v128.xor(i8x16.narrow_i16x8_s(low, high), sign));
  }
}

/** Radius 0 to 2, two rows at a time. */
function gaussian5(
  source: usize,
  sourceStride: i32,
  target: usize,
  targetStride: i32,
  width: i32,
  height: i32,
  taps: usize,
  radius: i32,
  y0: i32,
  y1: i32,
  scratch: usize,
): void {
  const t0 = tap(taps, radius, 0);
  const t1 = tap(taps, radius, 1);
  const t2 = tap(taps, radius, 2);
  const center = Register.vector(i16x8.splat(<i16>t0), scratch);
  const near = Register.vector(i16x8.splat(<i16>t1), scratch);
  const far = Register.vector(i16x8.splat(<i16>t2), scratch);
  const bias = Register.vector(i16x8.splat(<i16>BIAS), scratch);
  const sign = Register.vector(i8x16.splat(-128), scratch);
  const e0 = Register.vector(i32x4.splat(t2 | (t1 << 16)), scratch);
  const e1 = Register.vector(i32x4.splat(t0 | (t1 << 16)), scratch);
  const e2 = Register.vector(i32x4.splat(t2), scratch);
  const o0 = Register.vector(i32x4.splat(t2 << 16), scratch);
  const o1 = Register.vector(i32x4.splat(t1 | (t0 << 16)), scratch);
  const o2 = Register.vector(i32x4.splat(t1 | (t2 << 16)), scratch);
  const p = scratch + (EDGE << 1);
  const q = p + (sourceStride << 1) + (EDGE << 1);
  for (let y = y0; y < y1; y += 2) {
    const a = Register.address(rowAt(source, sourceStride, y - 2, height), scratch);
    const b = Register.address(rowAt(source, sourceStride, y - 1, height), scratch);
    const c = Register.address(rowAt(source, sourceStride, y, height), scratch);
    const d = Register.address(rowAt(source, sourceStride, y + 1, height), scratch);
    const e = Register.address(rowAt(source, sourceStride, y + 2, height), scratch);
    const f = Register.address(rowAt(source, sourceStride, y + 3, height), scratch);
    sums5(a, b, c, d, e, f, p, q, width, center, near, far, bias);
    spread(p, width, 3);
    spread(q, width, 3);
    const out = target + <usize>(y * targetStride);
    rows5(p, out, width, e0, e1, e2, o0, o1, o2, sign);
    if (y + 1 < y1) rows5(q, out + targetStride, width, e0, e1, e2, o0, o1, o2, sign);
  }
}

/**
 * Column sums of 32 samples at x, minus the bias, written to `out`. `rows`: address of the central row, then pairs of
 * rows above and below, 8 bytes per pair.
 */
function columnSums(rows: usize, taps: usize, radius: i32, x: i32, out: usize): void {
  let p = <usize>load<u32>(rows) + x;
  let t = v128.load16_splat(taps);
  const bias = i16x8.splat(<i16>BIAS);
  let a = i16x8.sub(i16x8.mul(v128.load8x8_u(p), t), bias);
  let b = i16x8.sub(i16x8.mul(v128.load8x8_u(p, 8), t), bias);
  let c = i16x8.sub(i16x8.mul(v128.load8x8_u(p, 16), t), bias);
  let d = i16x8.sub(i16x8.mul(v128.load8x8_u(p, 24), t), bias);
  for (let i = 1; i <= radius; i++) {
    rows += 8;
    p = <usize>load<u32>(rows) + x;
    const q = <usize>load<u32>(rows, 4) + x;
    t = v128.load16_splat(taps + (i << 1));
    a = i16x8.add(a, i16x8.mul(i16x8.add(v128.load8x8_u(p), v128.load8x8_u(q)), t));
    b = i16x8.add(b, i16x8.mul(i16x8.add(v128.load8x8_u(p, 8), v128.load8x8_u(q, 8)), t));
    c = i16x8.add(c, i16x8.mul(i16x8.add(v128.load8x8_u(p, 16), v128.load8x8_u(q, 16)), t));
    d = i16x8.add(d, i16x8.mul(i16x8.add(v128.load8x8_u(p, 24), v128.load8x8_u(q, 24)), t));
  }
  v128.store(out, a);
  v128.store(out, b, 16);
  v128.store(out, c, 32);
  v128.store(out, d, 48);
}

/** Any radius up to 31: the column sums of a row and the pairs of taps are stored in scratch. */
function gaussianWide(
  source: usize,
  sourceStride: i32,
  target: usize,
  targetStride: i32,
  width: i32,
  height: i32,
  taps: usize,
  radius: i32,
  y0: i32,
  y1: i32,
  scratch: usize,
): void {
  const rows = scratch; // 8 * (radius + 1) bytes of addresses
  const weights = scratch + 256; // alternating taps of even and odd outputs
  const sums = scratch + 768 + (EDGE << 1);
  const reach = (radius + 1) >> 1; // pairs on both sides of the center
  for (let j = -reach; j <= reach; j++) {
    const w = weights + ((j + reach) << 3);
    store<i32>(w, tapPair(taps, radius, 2 * j));
    store<i32>(w, tapPair(taps, radius, 2 * j - 1), 4);
  }
  for (let y = y0; y < y1; y++) {
    store<u32>(rows, <u32>rowAt(source, sourceStride, y, height));
    for (let i = 1; i <= radius; i++) {
      store<u32>(rows + (i << 3), <u32>rowAt(source, sourceStride, y - i, height));
      store<u32>(rows + (i << 3), <u32>rowAt(source, sourceStride, y + i, height), 4);
    }
    for (let x = 0; x < width; x += 32) columnSums(rows, taps, radius, x, sums + (x << 1));
    spread(sums, width, radius + 1);
    const out = target + <usize>(y * targetStride);
    for (let x = 0; x < width; x += 32) {
      let p = sums + ((x - 2 * reach) << 1);
      let even = i32x4.splat(0);
      let odd = even;
      let even2 = even;
      let odd2 = even;
      let even3 = even;
      let odd3 = even;
      let even4 = even;
      let odd4 = even;
      for (let w = weights, end = weights + ((2 * reach + 1) << 3); w < end; w += 8, p += 4) {
        const e = v128.load32_splat(w);
        const o = v128.load32_splat(w, 4);
        let u = v128.load(p);
        let v = v128.load(p, 16);
        even = i32x4.add(even, i32x4.dot_i16x8_s(u, e));
        odd = i32x4.add(odd, i32x4.dot_i16x8_s(u, o));
        even2 = i32x4.add(even2, i32x4.dot_i16x8_s(v, e));
        odd2 = i32x4.add(odd2, i32x4.dot_i16x8_s(v, o));
        u = v128.load(p, 32);
        v = v128.load(p, 48);
        even3 = i32x4.add(even3, i32x4.dot_i16x8_s(u, e));
        odd3 = i32x4.add(odd3, i32x4.dot_i16x8_s(u, o));
        even4 = i32x4.add(even4, i32x4.dot_i16x8_s(v, e));
        odd4 = i32x4.add(odd4, i32x4.dot_i16x8_s(v, o));
      }
      v128.store(out + x, pack(even, odd, even2, odd2));
      if (x + 16 < width) v128.store(out + x, pack(even3, odd3, even4, odd4), 16);
    }
  }
}

/** High halves of 16 sums as bytes, even and odd ones interleaved. */
function pack(even: v128, odd: v128, even2: v128, odd2: v128): v128 {
  const low = i16x8.shuffle(i32x4.shr_u(even, 16), odd, 0, 9, 2, 11, 4, 13, 6, 15);
  const high = i16x8.shuffle(i32x4.shr_u(even2, 16), odd2, 0, 9, 2, 11, 4, 13, 6, 15);
  return v128.xor(i8x16.narrow_i16x8_s(low, high), i8x16.splat(-128));
}

/**
 * Rows y0..y1-1 of the smoothed image. `taps`: address of radius + 1 16-bit integers, the center first. The whole
 * kernel sums to 256. Radius 0 to 31. Scratch: 1280 + 4 * sourceStride bytes.
 */
export function gaussian(
  source: usize,
  sourceStride: i32,
  target: usize,
  targetStride: i32,
  width: i32,
  height: i32,
  taps: usize,
  radius: i32,
  y0: i32,
  y1: i32,
  scratch: usize,
): i32 {
  if (radius <= 2) gaussian5(source, sourceStride, target, targetStride, width, height, taps, radius, y0, y1, scratch);
  else gaussianWide(source, sourceStride, target, targetStride, width, height, taps, radius, y0, y1, scratch);
  return 0;
}

export function gaussianScratch(sourceStride: i32): i32 {
  return 1280 + 4 * sourceStride;
}
