// Sums over a square window, zero outside the image, in one horizontal and one vertical pass. Every sum has a fixed
// order of its samples. There are no running sums, because their rounding would depend on the start of a band of rows.
//
// Horizontal: sums of 4 and 16 neighbors, combined to any width up to 63 (21 = 16 + 4 + 1). Vertical (van Herk): rows
// are divided into blocks of the window's height. A window is the end of one block and the beginning of the next, so
// three additions per row are enough for any height.

/** Number of columns summed at a time, so that a block's partial sums stay in the L1 cache. */
export const STRIP: i32 = 128;

/** Bytes of a row with space for a window's reach at both ends. */
export function rowBytes(width: i32): i32 {
  return ((width + 15) & ~15) * 4 + 512;
}

/** Offset of the first sample in a row. The 256 bytes before are the left padding. */
export const LEFT: usize = 256;

/** Clears the padding of a row. `row` points to its first sample. */
export function clearEnds(row: usize, width: i32): void {
  memory.fill(row - LEFT, 0, LEFT);
  memory.fill(row + ((<usize>width) << 2), 0, <usize>(rowBytes(width) - (width << 2)) - LEFT);
}

/**
 * Sums over `window` samples centered on each sample of a row. `row`: its samples, with cleared padding (clearEnds).
 * `fours` and `sixteens`: two more such rows, overwritten. `terms`: 64 bytes.
 */
export function rowSums(
  row: usize,
  fours: usize,
  sixteens: usize,
  terms: usize,
  width: i32,
  window: i32,
  out: usize,
): void {
  const reach = window >> 1;
  const from = -(((reach + 3) & ~3) << 2); // bytes, whole vectors
  const end = (width + reach) << 2;
  if (window >= 4)
    for (let x = from; x < end; x += 16) {
      const p = row + x;
      v128.store(
        fours + x,
        f32x4.add(f32x4.add(v128.load(p), v128.load(p, 4)), f32x4.add(v128.load(p, 8), v128.load(p, 12))),
      );
    }
  if (window >= 16)
    for (let x = from; x < end; x += 16) {
      const p = fours + x;
      v128.store(
        sixteens + x,
        f32x4.add(f32x4.add(v128.load(p), v128.load(p, 16)), f32x4.add(v128.load(p, 32), v128.load(p, 48))),
      );
    }
  // The addresses read by the sum at 0.
  let count = 0;
  let at = -reach;
  for (let rest = window; rest > 0; count++) {
    const length = rest >= 16 ? 16 : rest >= 4 ? 4 : 1;
    const base = rest >= 16 ? sixteens : rest >= 4 ? fours : row;
    store<u32>(terms + ((<usize>count) << 2), <u32>(base + (at << 2)));
    at += length;
    rest -= length;
  }
  const last = terms + ((<usize>count) << 2);
  const bytes = (<usize>((width + 3) & ~3)) << 2;
  let x: usize = 0;
  for (; x + 64 <= bytes; x += 64) {
    let p = <usize>load<u32>(terms) + x;
    let a = v128.load(p);
    let b = v128.load(p, 16);
    let c = v128.load(p, 32);
    let d = v128.load(p, 48);
    for (let t = terms + 4; t < last; t += 4) {
      p = <usize>load<u32>(t) + x;
      a = f32x4.add(a, v128.load(p));
      b = f32x4.add(b, v128.load(p, 16));
      c = f32x4.add(c, v128.load(p, 32));
      d = f32x4.add(d, v128.load(p, 48));
    }
    v128.store(out + x, a);
    v128.store(out + x, b, 16);
    v128.store(out + x, c, 32);
    v128.store(out + x, d, 48);
  }
  for (; x < bytes; x += 16) {
    let sum = v128.load(<usize>load<u32>(terms) + x);
    for (let t = terms + 4; t < last; t += 4) sum = f32x4.add(sum, v128.load(<usize>load<u32>(t) + x));
    v128.store(out + x, sum);
  }
}

/** The block of rows that contains row t, rounded down for rows above the image as well. */
export function blockOf(t: i32, window: i32): i32 {
  return t >= 0 ? t / window : -((window - 1 - t) / window);
}

/**
 * For the window that begins at row t: writes the sums from row t to the end of t's block to `suffix`, for all rows of
 * the block starting at t (STRIP samples per row of the block). Clears `prefix`.
 */
export function beginBlock(
  source: usize,
  stride: i32,
  height: i32,
  t: i32,
  window: i32,
  bytes: usize,
  suffix: usize,
  prefix: usize,
): void {
  const block = blockOf(t, window) * window;
  for (let x: usize = 0; x < bytes; x += 16) {
    let sum = f32x4.splat(0);
    let out = suffix + ((<usize>((window - 1) * STRIP)) << 2) + x;
    for (let row = block + window - 1; row >= t; row--, out -= STRIP << 2) {
      if (row >= 0 && row < height) sum = f32x4.add(sum, v128.load(source + <usize>(row * stride) + x));
      v128.store(out, sum);
    }
    v128.store(prefix + x, f32x4.splat(0));
  }
}

/** Adds a row of the next block to `prefix`. */
export function addRow(source: usize, stride: i32, height: i32, row: i32, bytes: usize, prefix: usize): void {
  if (row < 0 || row >= height) return;
  const p = source + <usize>(row * stride);
  for (let x: usize = 0; x < bytes; x += 16) v128.store(prefix + x, f32x4.add(v128.load(prefix + x), v128.load(p + x)));
}

/** Scratch for the vertical window sums of this number of planes: suffix sums and prefix sums. */
export function boxScratch(planes: i32, window: i32): i32 {
  return planes * 4 * STRIP * (window + 1);
}

/** Rows y0..y1-1 of the sums over `window` rows, times `scale`. */
export function boxColumns(
  source: usize,
  sourceStride: i32,
  target: usize,
  targetStride: i32,
  width: i32,
  height: i32,
  window: i32,
  scale: f32,
  y0: i32,
  y1: i32,
  scratch: usize,
): i32 {
  const reach = window >> 1;
  const suffix = scratch + (STRIP << 2);
  for (let x0 = 0; x0 < width; x0 += STRIP) {
    const bytes = (<usize>((min(STRIP, width - x0) + 3) & ~3)) << 2;
    const from = source + ((<usize>x0) << 2);
    for (let y = y0; y < y1; y++) {
      const t = y - reach;
      const offset = t - blockOf(t, window) * window;
      if (offset == 0 || y == y0) beginBlock(from, sourceStride, height, t, window, bytes, suffix, scratch);
      if (offset > 0) {
        const next = t - offset + window;
        if (y == y0)
          for (let row = next; row < next + offset - 1; row++) addRow(from, sourceStride, height, row, bytes, scratch);
        addRow(from, sourceStride, height, next + offset - 1, bytes, scratch);
      }
      const part = suffix + ((<usize>(offset * STRIP)) << 2);
      const out = target + <usize>(y * targetStride) + ((<usize>x0) << 2);
      for (let x: usize = 0; x < bytes; x += 16)
        v128.store(out + x, f32x4.mul(f32x4.add(v128.load(part + x), v128.load(scratch + x)), f32x4.splat(scale)));
    }
  }
  return 0;
}

export function boxColumnsScratch(window: i32): i32 {
  return boxScratch(1, window);
}
