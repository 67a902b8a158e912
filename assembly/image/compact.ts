// Stream compaction: the linear indices y * width + x, ascending, of the samples greater than a threshold (0: the
// non-zero ones). Counts each row, scans the counts (scanOffsets), then writes every row at its offset.

import { Register } from '../runtime/wasm/registers';

/** One bit per sample of 64 that is at least `least`. Samples starting at `left` do not count. */
function bits64(s: usize, least: v128, left: i32): u64 {
  const low =
    (<u32>i8x16.bitmask(i8x16.ge_u(v128.load(s), least))) |
    ((<u32>i8x16.bitmask(i8x16.ge_u(v128.load(s, 16), least))) << 16);
  const high =
    (<u32>i8x16.bitmask(i8x16.ge_u(v128.load(s, 32), least))) |
    ((<u32>i8x16.bitmask(i8x16.ge_u(v128.load(s, 48), least))) << 16);
  const bits = (<u64>low) | ((<u64>high) << 32);
  return left < 64 ? bits & (((<u64>1) << (<u64>left)) - 1) : bits;
}

/** Number of samples above `level` in the rows y0..y1-1, written to counts[y]. level must be below 255. */
export function compactCounts(
  source: usize,
  sourceStride: i32,
  counts: usize,
  width: i32,
  level: i32,
  y0: i32,
  y1: i32,
  scratch: usize,
): i32 {
  const least = Register.vector(i8x16.splat(<i8>(level + 1)), scratch);
  for (let y = y0; y < y1; y++) {
    const s = source + <usize>(y * sourceStride);
    let count: u64 = 0;
    for (let x = 0; x < width; x += 64) count += popcnt<u64>(bits64(s + x, least, width - x));
    store<u32>(counts + ((<usize>y) << 2), <u32>count);
  }
  return 0;
}

/** The indices of the rows y0..y1-1, written to list starting at offsets[y]. */
export function compactRows(
  source: usize,
  sourceStride: i32,
  list: usize,
  offsets: usize,
  width: i32,
  level: i32,
  y0: i32,
  y1: i32,
  scratch: usize,
): i32 {
  const least = Register.vector(i8x16.splat(<i8>(level + 1)), scratch);
  for (let y = y0; y < y1; y++) {
    const s = source + <usize>(y * sourceStride);
    let out = list + ((<usize>load<u32>(offsets + ((<usize>y) << 2))) << 2);
    for (let x = 0; x < width; x += 64) {
      const base = <u32>(y * width + x);
      let bits = bits64(s + x, least, width - x);
      if (bits == u64.MAX_VALUE) {
        let v = i32x4.add(i32x4.splat(base), i32x4(0, 1, 2, 3));
        for (const end = out + 256; out < end; out += 16) {
          v128.store(out, v);
          v = i32x4.add(v, i32x4.splat(4));
        }
        continue;
      }
      for (; bits; bits &= bits - 1, out += 4) store<u32>(out, base + <u32>ctz<u64>(bits));
    }
  }
  return 0;
}
