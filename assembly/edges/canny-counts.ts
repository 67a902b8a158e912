// Counts of the gradient magnitudes of an image, used for Canny's automatic thresholds and for the maximum magnitude.

import { derivativeRow, rowOf, sobelRow, squaredRow } from './canny-gradient';

/** Square roots of a row of squared magnitudes, rounded down to integers. 32-bit floats are exact below 2^24. */
function rootRow(squares: usize, width: i32, out: usize): void {
  for (const end = out + <usize>(width << 1); out < end; out += 16, squares += 32)
    v128.store(
      out,
      i16x8.narrow_i32x4_s(
        i32x4.trunc_sat_f32x4_s(f32x4.sqrt(f32x4.convert_i32x4_s(v128.load(squares)))),
        i32x4.trunc_sat_f32x4_s(f32x4.sqrt(f32x4.convert_i32x4_s(v128.load(squares, 16)))),
      ),
    );
}

/** A table, and rows of gradients and magnitudes. */
export function magnitudeCountsScratch(width: i32, bins: i32): i32 {
  return 4 * bins + 256 + width + 5 * (2 * width + 64);
}

/**
 * Counts of the magnitudes 0 to bins-1 in the blocks y0..y1-1 of `blockRows` rows each: `bins` u32 at out + 4 * bins *
 * block. |dx| + |dy|, or with `squared` the integer part of the square root of dx^2 + dy^2.
 */
export function magnitudeCounts(
  source: usize,
  sourceStride: i32,
  out: usize,
  width: i32,
  height: i32,
  derivative: i32,
  squared: i32,
  bins: i32,
  blockRows: i32,
  y0: i32,
  y1: i32,
  scratch: usize,
): i32 {
  const tableBytes = bins << 2;
  // Two alternating tables, so that equal neighbors do not wait for each other's counter.
  const second = scratch;
  const padded = scratch + <usize>tableBytes + 32;
  const rowBytes = <usize>(((width + 31) & ~15) << 1);
  const dx = scratch + <usize>tableBytes + 64 + <usize>((width + 79) & ~15);
  const dy = dx + rowBytes;
  const magnitude = dy + rowBytes;
  const squares = magnitude + rowBytes;
  for (let block = y0; block < y1; block++) {
    const first = out + <usize>block * <usize>tableBytes;
    memory.fill(first, 0, tableBytes);
    memory.fill(second, 0, tableBytes);
    const end = min((block + 1) * blockRows, height);
    for (let y = block * blockRows; y < end; y++) {
      if (derivative) derivativeRow(source, sourceStride, y, width, height, padded, dx, dy, magnitude);
      else
        sobelRow(
          rowOf(source, sourceStride, y - 1, height),
          rowOf(source, sourceStride, y, height),
          rowOf(source, sourceStride, y + 1, height),
          width,
          dx,
          dy,
          magnitude,
        );
      if (squared) {
        squaredRow(dx, dy, width, squares);
        rootRow(squares, width, magnitude);
      }
      let m = magnitude;
      const stop = m + <usize>(width << 1);
      for (; m + 4 <= stop; m += 4) {
        const a = first + ((<usize>load<u16>(m)) << 2);
        store<u32>(a, load<u32>(a) + 1);
        const b = second + ((<usize>load<u16>(m, 2)) << 2);
        store<u32>(b, load<u32>(b) + 1);
      }
      if (m < stop) {
        const a = first + ((<usize>load<u16>(m)) << 2);
        store<u32>(a, load<u32>(a) + 1);
      }
    }
    for (let i = 0; i < tableBytes; i += 16)
      v128.store(first + i, i32x4.add(v128.load(first + i), v128.load(second + i)));
  }
  return 0;
}
