// One row of the separable Gaussian in 32-bit floats, border replicated: vertically over the rows of the image into
// `sums`, then horizontally. Taps are floats, the center first. `rows` has 8 bytes for the center and 8 for each pair
// of rows.

/** Padding in floats at both ends of a row of column sums. */
export function room(radius: i32): i32 {
  return (radius + 7) & ~3;
}

/** Bytes for row addresses, column sums and `count` smoothed rows. */
export function smoothBytes(width: i32, radius: i32, count: i32): i32 {
  const line = 4 * (((width + 15) & ~15) + 8);
  return 8 * (radius + 1) + 8 * (radius + 7) + line + 320 + count * line;
}

/** Addresses of the rows that row y needs, clamped to the image. */
export function rowTable(rows: usize, source: usize, stride: i32, y: i32, height: i32, radius: i32): void {
  store<u32>(rows, <u32>(source + <usize>(y * stride)));
  for (let i = 1; i <= radius; i++) {
    store<u32>(rows + ((<usize>i) << 3), <u32>(source + <usize>(max(y - i, 0) * stride)));
    store<u32>(rows + ((<usize>i) << 3), <u32>(source + <usize>(min(y + i, height - 1) * stride)), 4);
  }
}

/** Column sums of an 8-bit image: pairs of rows are added as integers, then weighted. */
export function columnsU8(rows: usize, taps: usize, radius: i32, width: i32, sums: usize): void {
  const last = rows + ((<usize>radius) << 3);
  for (let x = 0; x < width; x += 16) {
    let t = v128.load32_splat(taps);
    let p = <usize>load<u32>(rows) + x;
    let v = v128.load8x8_u(p);
    let w = v128.load8x8_u(p, 8);
    let a = f32x4.mul(t, f32x4.convert_i32x4_s(i32x4.extend_low_i16x8_s(v)));
    let b = f32x4.mul(t, f32x4.convert_i32x4_s(i32x4.extend_high_i16x8_s(v)));
    let c = f32x4.mul(t, f32x4.convert_i32x4_s(i32x4.extend_low_i16x8_s(w)));
    let d = f32x4.mul(t, f32x4.convert_i32x4_s(i32x4.extend_high_i16x8_s(w)));
    for (let row = rows + 8, tap = taps + 4; row <= last; row += 8, tap += 4) {
      t = v128.load32_splat(tap);
      p = <usize>load<u32>(row) + x;
      const q = <usize>load<u32>(row, 4) + x;
      v = i16x8.add(v128.load8x8_u(p), v128.load8x8_u(q));
      w = i16x8.add(v128.load8x8_u(p, 8), v128.load8x8_u(q, 8));
      a = f32x4.add(a, f32x4.mul(t, f32x4.convert_i32x4_s(i32x4.extend_low_i16x8_s(v))));
      b = f32x4.add(b, f32x4.mul(t, f32x4.convert_i32x4_s(i32x4.extend_high_i16x8_s(v))));
      c = f32x4.add(c, f32x4.mul(t, f32x4.convert_i32x4_s(i32x4.extend_low_i16x8_s(w))));
      d = f32x4.add(d, f32x4.mul(t, f32x4.convert_i32x4_s(i32x4.extend_high_i16x8_s(w))));
    }
    const out = sums + ((<usize>x) << 2);
    v128.store(out, a);
    v128.store(out, b, 16);
    v128.store(out, c, 32);
    v128.store(out, d, 48);
  }
}

/** Column sums of a float image. */
export function columnsF32(rows: usize, taps: usize, radius: i32, width: i32, sums: usize): void {
  const last = rows + ((<usize>radius) << 3);
  for (let x: usize = 0, end = (<usize>width) << 2; x < end; x += 32) {
    let t = v128.load32_splat(taps);
    let p = <usize>load<u32>(rows) + x;
    let a = f32x4.mul(t, v128.load(p));
    let b = f32x4.mul(t, v128.load(p, 16));
    for (let row = rows + 8, tap = taps + 4; row <= last; row += 8, tap += 4) {
      t = v128.load32_splat(tap);
      p = <usize>load<u32>(row) + x;
      const q = <usize>load<u32>(row, 4) + x;
      a = f32x4.add(a, f32x4.mul(t, f32x4.add(v128.load(p), v128.load(q))));
      b = f32x4.add(b, f32x4.mul(t, f32x4.add(v128.load(p, 16), v128.load(q, 16))));
    }
    v128.store(sums + x, a);
    v128.store(sums + x, b, 16);
  }
}

/** Replicates the first and the last float of a row, `count` times each. */
export function spread(row: usize, width: i32, count: i32): void {
  const first = load<f32>(row);
  const end = row + ((<usize>(width - 1)) << 2);
  const last = load<f32>(end);
  for (let i: usize = 4; i <= (<usize>count) << 2; i += 4) {
    store<f32>(row - i, first);
    store<f32>(end + i, last);
  }
}

/** Horizontal sums of a row with replicated ends. */
export function across(sums: usize, taps: usize, radius: i32, width: i32, out: usize): void {
  const reach = (<usize>radius) << 2;
  for (let x: usize = 0, end = (<usize>width) << 2; x < end; x += 64) {
    const p = sums + x;
    let t = v128.load32_splat(taps);
    let a = f32x4.mul(t, v128.load(p));
    let b = f32x4.mul(t, v128.load(p, 16));
    let c = f32x4.mul(t, v128.load(p, 32));
    let d = f32x4.mul(t, v128.load(p, 48));
    for (let i: usize = 4; i <= reach; i += 4) {
      t = v128.load32_splat(taps + i);
      const l = p - i;
      const r = p + i;
      a = f32x4.add(a, f32x4.mul(t, f32x4.add(v128.load(l), v128.load(r))));
      b = f32x4.add(b, f32x4.mul(t, f32x4.add(v128.load(l, 16), v128.load(r, 16))));
      c = f32x4.add(c, f32x4.mul(t, f32x4.add(v128.load(l, 32), v128.load(r, 32))));
      d = f32x4.add(d, f32x4.mul(t, f32x4.add(v128.load(l, 48), v128.load(r, 48))));
    }
    v128.store(out + x, a);
    v128.store(out + x, b, 16);
    v128.store(out + x, c, 32);
    v128.store(out + x, d, 48);
  }
}

/** Writes row y of the smoothed 8-bit image to `out`, with its ends replicated once. */
export function smoothed(
  source: usize,
  stride: i32,
  width: i32,
  height: i32,
  down: usize,
  taps: usize,
  radius: i32,
  y: i32,
  rows: usize,
  sums: usize,
  out: usize,
): void {
  rowTable(rows, source, stride, y, height, radius);
  columnsU8(rows, down, radius, width, sums);
  spread(sums, width, radius);
  across(sums, taps, radius, width, out);
  spread(out, width, 1);
}
