// Prefix sums in row-major order, modulo 2^32. Threads: the sum of every row, then the sum before each row, then every
// row separately. Sums modulo 2^32 do not depend on the cut.

/** Sums of the rows y0..y1-1, written to sums[y]. */
function rowSums<T>(source: usize, sourceStride: i32, sums: usize, width: i32, y0: i32, y1: i32): void {
  for (let y = y0; y < y1; y++) {
    let s = source + <usize>(y * sourceStride);
    let acc = i32x4.splat(0);
    let x = 0;
    if (sizeof<T>() == 1) {
      for (; x + 16 <= width; x += 16, s += 16)
        acc = i32x4.add(acc, i32x4.extadd_pairwise_i16x8_u(i16x8.extadd_pairwise_i8x16_u(v128.load(s))));
    } else {
      for (; x + 4 <= width; x += 4, s += 16) acc = i32x4.add(acc, v128.load(s));
    }
    let sum =
      i32x4.extract_lane(acc, 0) + i32x4.extract_lane(acc, 1) + i32x4.extract_lane(acc, 2) + i32x4.extract_lane(acc, 3);
    for (; x < width; x++, s += sizeof<T>()) sum += <i32>load<T>(s);
    store<i32>(sums + ((<usize>y) << 2), sum);
  }
}

export function scanSumsU8(
  source: usize,
  sourceStride: i32,
  sums: usize,
  width: i32,
  y0: i32,
  y1: i32,
  scratch: usize,
): i32 {
  rowSums<u8>(source, sourceStride, sums, width, y0, y1);
  return 0;
}

export function scanSumsU32(
  source: usize,
  sourceStride: i32,
  sums: usize,
  width: i32,
  y0: i32,
  y1: i32,
  scratch: usize,
): i32 {
  rowSums<u32>(source, sourceStride, sums, width, y0, y1);
  return 0;
}

/** Exclusive scan of `rows` sums in place. The total is stored after them, so space for rows + 1 is required. */
export function scanOffsets(sums: usize, rows: i32, scratch: usize): i32 {
  let run: u32 = 0;
  for (const end = sums + ((<usize>rows) << 2); sums < end; sums += 4) {
    const sum = load<u32>(sums);
    store<u32>(sums, run);
    run += sum;
  }
  store<u32>(sums, run);
  return 0;
}

/** Running sums of a row of bytes, starting at `start`. Returns the sum after the row. */
function scanRowU8(s: usize, d: usize, width: i32, start: u32, inclusive: i32): u32 {
  const even = i32x4.splat(0x00ff00ff);
  const zero = i32x4.splat(0);
  let carry = i32x4.splat(start);
  const whole = d + <usize>((width & ~15) << 2);
  for (; d < whole; s += 16, d += 64) {
    const v = v128.load(s);
    const odd = i16x8.shr_u(v, 8);
    const first = v128.and(v, even);
    let p = i16x8.add(first, odd);
    p = i16x8.add(p, i8x16.shuffle(p, zero, 30, 31, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13));
    p = i16x8.add(p, i8x16.shuffle(p, zero, 28, 29, 30, 31, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11));
    p = i16x8.add(p, i8x16.shuffle(p, zero, 24, 25, 26, 27, 28, 29, 30, 31, 0, 1, 2, 3, 4, 5, 6, 7));
    // Sums up to and including the even and the odd samples. The exclusive ones do not include the sample itself.
    const e = i16x8.sub(p, odd);
    const a = inclusive ? e : i16x8.sub(e, first);
    const b = inclusive ? p : e;
    const low = i16x8.shuffle(a, b, 0, 8, 1, 9, 2, 10, 3, 11);
    const high = i16x8.shuffle(a, b, 4, 12, 5, 13, 6, 14, 7, 15);
    v128.store(d, i32x4.add(i32x4.extend_low_i16x8_u(low), carry));
    v128.store(d, i32x4.add(i32x4.extend_high_i16x8_u(low), carry), 16);
    v128.store(d, i32x4.add(i32x4.extend_low_i16x8_u(high), carry), 32);
    v128.store(d, i32x4.add(i32x4.extend_high_i16x8_u(high), carry), 48);
    const total = i32x4.extend_high_i16x8_u(p);
    carry = i32x4.add(carry, i32x4.shuffle(total, total, 3, 3, 3, 3));
  }
  let sum = <u32>i32x4.extract_lane(carry, 0);
  for (let x = width & ~15; x < width; x++, s++, d += 4) {
    const next = sum + <u32>load<u8>(s);
    store<u32>(d, inclusive ? next : sum);
    sum = next;
  }
  return sum;
}

/** Running sums of a row of 32-bit integers. */
function scanRowU32(s: usize, d: usize, width: i32, start: u32, inclusive: i32): u32 {
  const zero = i32x4.splat(0);
  let carry = i32x4.splat(start);
  const whole = d + <usize>((width & ~3) << 2);
  for (; d < whole; s += 16, d += 16) {
    const v = v128.load(s);
    let p = i32x4.add(v, i32x4.shuffle(v, zero, 7, 0, 1, 2));
    p = i32x4.add(p, i32x4.shuffle(p, zero, 6, 7, 0, 1));
    p = i32x4.add(p, carry);
    v128.store(d, inclusive ? p : i32x4.sub(p, v));
    carry = i32x4.shuffle(p, p, 3, 3, 3, 3);
  }
  let sum = <u32>i32x4.extract_lane(carry, 0);
  for (let x = width & ~3; x < width; x++, s += 4, d += 4) {
    const next = sum + load<u32>(s);
    store<u32>(d, inclusive ? next : sum);
    sum = next;
  }
  return sum;
}

function scanRows<T>(
  source: usize,
  sourceStride: i32,
  target: usize,
  targetStride: i32,
  offsets: usize,
  width: i32,
  inclusive: i32,
  y0: i32,
  y1: i32,
): void {
  let sum: u32 = 0;
  for (let y = y0; y < y1; y++) {
    if (offsets) sum = load<u32>(offsets + ((<usize>y) << 2));
    const s = source + <usize>(y * sourceStride);
    const d = target + <usize>(y * targetStride);
    sum = sizeof<T>() == 1 ? scanRowU8(s, d, width, sum, inclusive) : scanRowU32(s, d, width, sum, inclusive);
  }
}

/**
 * Rows y0..y1-1 of the scan of bytes to u32. `offsets[y]`: sum before row y. 0: rows are processed in order, all at
 * once.
 */
export function scanU8(
  source: usize,
  sourceStride: i32,
  target: usize,
  targetStride: i32,
  offsets: usize,
  width: i32,
  inclusive: i32,
  y0: i32,
  y1: i32,
  scratch: usize,
): i32 {
  scanRows<u8>(source, sourceStride, target, targetStride, offsets, width, inclusive, y0, y1);
  return 0;
}

/** Scan of u32. */
export function scanU32(
  source: usize,
  sourceStride: i32,
  target: usize,
  targetStride: i32,
  offsets: usize,
  width: i32,
  inclusive: i32,
  y0: i32,
  y1: i32,
  scratch: usize,
): i32 {
  scanRows<u32>(source, sourceStride, target, targetStride, offsets, width, inclusive, y0, y1);
  return 0;
}
