// Erosion, dilation and white top-hat with a rectangle of size x size, size odd, 1 to 63. Samples outside the image are
// ignored.
//
// Columns by van Herk / Gil-Werman: in a block of `size` rows the running minimum upwards (suffixes), and in the next
// block the running minimum downwards (prefixes). Any window combines one of each: two minima per sample for any size.
// Rows by doubling: minima over 2, 4, 8, ... samples from two shifted ones. The last step overlaps.
//
// The type argument selects the operation at compile time: u8 the minimum, i8 the maximum.

const EDGE: i32 = 64; // before sample 0 of a padded row, four times that in total

function pick<T>(a: v128, b: v128): v128 {
  return isSigned<T>() ? i8x16.max_u(a, b) : i8x16.min_u(a, b);
}

/** The neutral element of the operation. */
function neutral<T>(): i32 {
  return isSigned<T>() ? 0 : 255;
}

/**
 * Column minima of rows y .. y + size - 1, written to `rows` (stride `pitch`, sample 0 at EDGE), in strips of 64
 * columns so that the running minimum stays in registers.
 */
function columnBlock<T>(
  source: usize,
  sourceStride: i32,
  width: i32,
  height: i32,
  y: i32,
  count: i32,
  size: i32,
  rows: usize,
  pitch: i32,
): void {
  const radius = size >> 1;
  // Rows above the image: the suffix starting at row `top` covers them. Rows below: the last row again.
  const top = max(y - radius, 0);
  const last = min(y - radius + size - 1, height - 1);
  const end = min(y + count - 1 + radius, height - 1);
  for (let x = 0; x < width; x += 64) {
    let s = source + <usize>(last * sourceStride + x);
    let a = v128.load(s);
    let b = v128.load(s, 16);
    let c = v128.load(s, 32);
    let d = v128.load(s, 48);
    // Suffixes: row j of the block covers source rows y - radius + j .. y + radius.
    for (let j = last; ; j--) {
      const r = j - (y - radius);
      if (r < count) {
        const p = rows + <usize>(r * pitch + x);
        v128.store(p, a, EDGE);
        v128.store(p, b, EDGE + 16);
        v128.store(p, c, EDGE + 32);
        v128.store(p, d, EDGE + 48);
      }
      if (j <= top) break;
      s -= sourceStride;
      a = pick<T>(a, v128.load(s));
      b = pick<T>(b, v128.load(s, 16));
      c = pick<T>(c, v128.load(s, 32));
      d = pick<T>(d, v128.load(s, 48));
    }
    // Output rows whose window starts above the image all begin with the suffix of row 0.
    for (let r = min(top - (y - radius), count) - 1; r >= 0; r--) {
      const p = rows + <usize>(r * pitch + x);
      v128.store(p, a, EDGE);
      v128.store(p, b, EDGE + 16);
      v128.store(p, c, EDGE + 32);
      v128.store(p, d, EDGE + 48);
    }
    // Prefixes: source rows below y + radius, joined with the suffixes.
    let j = y + radius + 1;
    if (j > end) continue;
    s = source + <usize>(j * sourceStride + x);
    a = v128.load(s);
    b = v128.load(s, 16);
    c = v128.load(s, 32);
    d = v128.load(s, 48);
    for (let r = 1; r < count; r++) {
      const p = rows + <usize>(r * pitch + x);
      v128.store(p, pick<T>(a, v128.load(p, EDGE)), EDGE);
      v128.store(p, pick<T>(b, v128.load(p, EDGE + 16)), EDGE + 16);
      v128.store(p, pick<T>(c, v128.load(p, EDGE + 32)), EDGE + 32);
      v128.store(p, pick<T>(d, v128.load(p, EDGE + 48)), EDGE + 48);
      if (++j <= end) {
        s += sourceStride;
        a = pick<T>(a, v128.load(s));
        b = pick<T>(b, v128.load(s, 16));
        c = pick<T>(c, v128.load(s, 32));
        d = pick<T>(d, v128.load(s, 48));
      }
    }
  }
}

/** 64 neutral samples. Stores are cheaper than a call of memory.fill, which matters for small pieces. */
function pad<T>(p: usize): void {
  const v = i8x16.splat(<i8>neutral<T>());
  v128.store(p, v);
  v128.store(p, v, 16);
  v128.store(p, v, 32);
  v128.store(p, v, 48);
}

/** One doubling step over a row, in place: p[x] = pick(p[x], p[x + shift]). */
function fold<T>(p: usize, count: i32, shift: i32): void {
  for (let x = 0; x < count; x += 16, p += 16) v128.store(p, pick<T>(v128.load(p), v128.load(p + shift)));
}

function over2<T>(a: v128, b: v128): v128 {
  return pick<T>(a, i8x16.shuffle(a, b, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16));
}
function over4<T>(a: v128, b: v128): v128 {
  return pick<T>(a, i8x16.shuffle(a, b, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17));
}
function over8<T>(a: v128, b: v128): v128 {
  return pick<T>(a, i8x16.shuffle(a, b, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19));
}
function over16<T>(a: v128, b: v128): v128 {
  return pick<T>(a, i8x16.shuffle(a, b, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23));
}

/** Minima over 8 samples to the right, in place: three doublings in registers, each one vector behind. */
function fold8<T>(p: usize, count: i32): void {
  let s = v128.load(p, 32);
  let a = over2<T>(v128.load(p, 16), s);
  let b = over4<T>(over2<T>(v128.load(p), v128.load(p, 16)), a);
  for (let x = 0; x < count; x += 16, p += 16) {
    const sNext = v128.load(p, 48);
    const aNext = over2<T>(s, sNext);
    const bNext = over4<T>(a, aNext);
    v128.store(p, over8<T>(b, bNext));
    s = sNext;
    a = aNext;
    b = bNext;
  }
}

/** Minima over 16 samples. */
function fold16<T>(p: usize, count: i32): void {
  let s = v128.load(p, 48);
  const a1 = over2<T>(v128.load(p, 16), v128.load(p, 32));
  let a = over2<T>(v128.load(p, 32), s);
  let b = over4<T>(a1, a);
  let c = over8<T>(over4<T>(over2<T>(v128.load(p), v128.load(p, 16)), a1), b);
  for (let x = 0; x < count; x += 16, p += 16) {
    const sNext = v128.load(p, 64);
    const aNext = over2<T>(s, sNext);
    const bNext = over4<T>(a, aNext);
    const cNext = over8<T>(b, bNext);
    v128.store(p, over16<T>(c, cNext));
    s = sNext;
    a = aNext;
    b = bNext;
    c = cNext;
  }
}

/**
 * Row minima of a padded row (sample 0 at row + EDGE, at least `radius` neutral samples at both ends), written to
 * target. With `minuend` (a row, otherwise 0) the difference minuend - result instead.
 */
function rowMinima<T>(row: usize, width: i32, size: i32, target: usize, minuend: usize): void {
  const radius = size >> 1;
  let p = row + EDGE - radius;
  const count = width + 2 * radius;
  let done = 1;
  if (size >= 16) {
    fold16<T>(p, count);
    done = 16;
  } else if (size >= 8) {
    fold8<T>(p, count);
    done = 8;
  }
  for (; done * 2 <= size; done *= 2) fold<T>(p, count, done);
  const rest = size - done;
  if (minuend) {
    for (let x = 0; x < width; x += 16, p += 16)
      v128.store(target + x, i8x16.sub(v128.load(minuend + x), pick<T>(v128.load(p), v128.load(p + rest))));
  } else {
    for (let x = 0; x < width; x += 16, p += 16) v128.store(target + x, pick<T>(v128.load(p), v128.load(p + rest)));
  }
}

function morph<T>(
  source: usize,
  sourceStride: i32,
  target: usize,
  targetStride: i32,
  width: i32,
  height: i32,
  size: i32,
  y0: i32,
  y1: i32,
  minuend: usize,
  minuendStride: i32,
  scratch: usize,
): void {
  const pitch = ((width + 63) & ~63) + 4 * EDGE;
  const radius = size >> 1;
  for (let y = y0; y < y1; y += size) {
    const count = min(size, y1 - y);
    columnBlock<T>(source, sourceStride, width, height, y, count, size, scratch, pitch);
    for (let r = 0; r < count; r++) {
      const row = scratch + <usize>(r * pitch);
      pad<T>(row);
      pad<T>(row + EDGE + width); // radius + 32 would be enough
      rowMinima<T>(
        row,
        width,
        size,
        target + <usize>((y + r) * targetStride),
        minuend ? minuend + <usize>((y + r) * minuendStride) : 0,
      );
    }
  }
}

/** Rows y0..y1-1 of the erosion. Scratch: size * (width rounded up to 64, + 256) bytes. */
export function erode(
  source: usize,
  sourceStride: i32,
  target: usize,
  targetStride: i32,
  width: i32,
  height: i32,
  size: i32,
  y0: i32,
  y1: i32,
  scratch: usize,
): i32 {
  morph<u8>(source, sourceStride, target, targetStride, width, height, size, y0, y1, 0, 0, scratch);
  return 0;
}

/** Rows y0..y1-1 of the dilation. Scratch as in erode. */
export function dilate(
  source: usize,
  sourceStride: i32,
  target: usize,
  targetStride: i32,
  width: i32,
  height: i32,
  size: i32,
  y0: i32,
  y1: i32,
  scratch: usize,
): i32 {
  morph<i8>(source, sourceStride, target, targetStride, width, height, size, y0, y1, 0, 0, scratch);
  return 0;
}

/**
 * Rows y0..y1-1 of the white top-hat: source - dilation of the erosion. The erosion exists only as a window of rows in
 * scratch. Scratch: as in erode, plus (3 * size) rows of (width rounded up to 16) bytes, plus 128 bytes.
 */
export function topHat(
  source: usize,
  sourceStride: i32,
  target: usize,
  targetStride: i32,
  width: i32,
  height: i32,
  size: i32,
  y0: i32,
  y1: i32,
  scratch: usize,
): i32 {
  const radius = size >> 1;
  const pitch = (width + 15) & ~15;
  const rows = scratch + size * (((width + 63) & ~63) + 4 * EDGE) + 64;
  let have = max(y0 - radius, 0); // eroded rows from `base` to have - 1 are in the window
  let base = have;
  const step = 2 * size;
  for (let y = y0; y < y1; y += step) {
    const stop = min(y + step, y1);
    const first = max(y - radius, 0);
    const end = min(stop + radius, height);
    if (first > base) {
      memory.copy(rows, rows + (first - base) * pitch, (have - first) * pitch);
      base = first;
    }
    morph<u8>(source, sourceStride, rows - base * pitch, pitch, width, height, size, have, end, 0, 0, scratch);
    have = end;
    // The window as a separate image: its first or last row is a true border only at the border of the image.
    morph<i8>(
      rows,
      pitch,
      target + <usize>(base * targetStride),
      targetStride,
      width,
      end - base,
      size,
      y - base,
      stop - base,
      source + <usize>(base * sourceStride),
      sourceStride,
      scratch,
    );
  }
  return 0;
}

export function erodeScratch(width: i32, size: i32): i32 {
  return size * (((width + 63) & ~63) + 256);
}

export function dilateScratch(width: i32, size: i32): i32 {
  return erodeScratch(width, size);
}

export function topHatScratch(width: i32, size: i32): i32 {
  return erodeScratch(width, size) + 3 * size * ((width + 15) & ~15) + 128;
}
