// Sum, minimum and maximum. Every row is reduced separately into a table, then the table is reduced in order. The
// result does not depend on the distribution of rows over threads, even for floats.

/** Per row of bytes: sum, minimum, maximum, 0 as u32. */
export function reduceRowsU8(
  source: usize,
  sourceStride: i32,
  table: usize,
  width: i32,
  y0: i32,
  y1: i32,
  scratch: usize,
): i32 {
  for (let y = y0; y < y1; y++) {
    let s = source + <usize>(y * sourceStride);
    const end = s + <usize>width;
    let total = i32x4.splat(0);
    let low = i8x16.splat(-1);
    let high = i8x16.splat(0);
    while (s + 16 <= end) {
      // 16-bit sums overflow after 128 steps of at most 510.
      const stop = min(s + 16 * 128, end);
      let sum = i16x8.splat(0);
      for (; s + 16 <= stop; s += 16) {
        const v = v128.load(s);
        sum = i16x8.add(sum, i16x8.extadd_pairwise_i8x16_u(v));
        low = i8x16.min_u(low, v);
        high = i8x16.max_u(high, v);
      }
      total = i32x4.add(total, i32x4.extadd_pairwise_i16x8_u(sum));
    }
    let sum =
      <u32>i32x4.extract_lane(total, 0) +
      <u32>i32x4.extract_lane(total, 1) +
      <u32>i32x4.extract_lane(total, 2) +
      <u32>i32x4.extract_lane(total, 3);
    low = i8x16.min_u(low, i16x8.shr_u(low, 8));
    high = i8x16.max_u(high, i16x8.shr_u(high, 8));
    low = i8x16.min_u(low, i32x4.shr_u(low, 16));
    high = i8x16.max_u(high, i32x4.shr_u(high, 16));
    let least = min(
      min<u32>(i8x16.extract_lane_u(low, 0), i8x16.extract_lane_u(low, 4)),
      min<u32>(i8x16.extract_lane_u(low, 8), i8x16.extract_lane_u(low, 12)),
    );
    let most = max(
      max<u32>(i8x16.extract_lane_u(high, 0), i8x16.extract_lane_u(high, 4)),
      max<u32>(i8x16.extract_lane_u(high, 8), i8x16.extract_lane_u(high, 12)),
    );
    for (; s < end; s++) {
      const v = <u32>load<u8>(s);
      sum += v;
      least = min(least, v);
      most = max(most, v);
    }
    const t = table + ((<usize>y) << 4);
    store<u32>(t, sum);
    store<u32>(t, least, 4);
    store<u32>(t, most, 8);
  }
  return 0;
}

/** Per row of u32: sum modulo 2^32, minimum, maximum, 0. */
export function reduceRowsU32(
  source: usize,
  sourceStride: i32,
  table: usize,
  width: i32,
  y0: i32,
  y1: i32,
  scratch: usize,
): i32 {
  for (let y = y0; y < y1; y++) {
    let s = source + <usize>(y * sourceStride);
    const end = s + <usize>(width << 2);
    let total = i32x4.splat(0);
    let low = i32x4.splat(-1);
    let high = i32x4.splat(0);
    for (; s + 16 <= end; s += 16) {
      const v = v128.load(s);
      total = i32x4.add(total, v);
      low = i32x4.min_u(low, v);
      high = i32x4.max_u(high, v);
    }
    let sum =
      <u32>i32x4.extract_lane(total, 0) +
      <u32>i32x4.extract_lane(total, 1) +
      <u32>i32x4.extract_lane(total, 2) +
      <u32>i32x4.extract_lane(total, 3);
    let least = min(
      min<u32>(i32x4.extract_lane(low, 0), i32x4.extract_lane(low, 1)),
      min<u32>(i32x4.extract_lane(low, 2), i32x4.extract_lane(low, 3)),
    );
    let most = max(
      max<u32>(i32x4.extract_lane(high, 0), i32x4.extract_lane(high, 1)),
      max<u32>(i32x4.extract_lane(high, 2), i32x4.extract_lane(high, 3)),
    );
    for (; s < end; s += 4) {
      const v = load<u32>(s);
      sum += v;
      least = min(least, v);
      most = max(most, v);
    }
    const t = table + ((<usize>y) << 4);
    store<u32>(t, sum);
    store<u32>(t, least, 4);
    store<u32>(t, most, 8);
  }
  return 0;
}

/** Reduces the table of `rows` rows of u32 to its first row. */
export function reduceTotal(table: usize, rows: i32, scratch: usize): i32 {
  let sum: u32 = 0;
  let least: u32 = u32.MAX_VALUE;
  let most: u32 = 0;
  for (let t = table, end = table + ((<usize>rows) << 4); t < end; t += 16) {
    sum += load<u32>(t);
    least = min(least, load<u32>(t, 4));
    most = max(most, load<u32>(t, 8));
  }
  store<u32>(table, sum);
  store<u32>(table, least, 4);
  store<u32>(table, most, 8);
  return 0;
}

/** Per row of floats: sum as float64, minimum and maximum as float32. float32 sums only within 1024 samples. No NaN. */
export function reduceRowsF32(
  source: usize,
  sourceStride: i32,
  table: usize,
  width: i32,
  y0: i32,
  y1: i32,
  scratch: usize,
): i32 {
  for (let y = y0; y < y1; y++) {
    let s = source + <usize>(y * sourceStride);
    const end = s + <usize>(width << 2);
    let total = f64x2.splat(0);
    let low = f32x4.splat(f32.MAX_VALUE);
    let high = f32x4.splat(-f32.MAX_VALUE);
    while (s + 32 <= end) {
      const stop = min(s + 4096, end);
      let a = f32x4.splat(0);
      let b = a;
      for (; s + 32 <= stop; s += 32) {
        const v = v128.load(s);
        const w = v128.load(s, 16);
        a = f32x4.add(a, v);
        b = f32x4.add(b, w);
        low = f32x4.pmin(low, f32x4.pmin(v, w));
        high = f32x4.pmax(high, f32x4.pmax(v, w));
      }
      a = f32x4.add(a, b);
      total = f64x2.add(
        total,
        f64x2.add(f64x2.promote_low_f32x4(a), f64x2.promote_low_f32x4(i32x4.shuffle(a, a, 2, 3, 2, 3))),
      );
    }
    let sum = f64x2.extract_lane(total, 0) + f64x2.extract_lane(total, 1);
    let least: f32 = min(
      min(f32x4.extract_lane(low, 0), f32x4.extract_lane(low, 1)),
      min(f32x4.extract_lane(low, 2), f32x4.extract_lane(low, 3)),
    );
    let most: f32 = max(
      max(f32x4.extract_lane(high, 0), f32x4.extract_lane(high, 1)),
      max(f32x4.extract_lane(high, 2), f32x4.extract_lane(high, 3)),
    );
    for (; s < end; s += 4) {
      const v = load<f32>(s);
      sum += <f64>v;
      least = min(least, v);
      most = max(most, v);
    }
    const t = table + ((<usize>y) << 4);
    store<f64>(t, sum);
    store<f32>(t, least, 8);
    store<f32>(t, most, 12);
  }
  return 0;
}

/** Reduces the table of `rows` rows of floats to its first row. */
export function reduceTotalF32(table: usize, rows: i32, scratch: usize): i32 {
  let sum: f64 = 0;
  let least: f32 = f32.MAX_VALUE;
  let most: f32 = -f32.MAX_VALUE;
  for (let t = table, end = table + ((<usize>rows) << 4); t < end; t += 16) {
    sum += load<f64>(t);
    least = min(least, load<f32>(t, 8));
    most = max(most, load<f32>(t, 12));
  }
  store<f64>(table, sum);
  store<f32>(table, least, 8);
  store<f32>(table, most, 12);
  return 0;
}
