// Fills corneal reflections from their border (paper 000, section 2.1). Every masked pixel becomes the mean of the
// nearest unmasked pixels in eight directions, weighted by 1 / distance, so that no new border arises inside the pupil.
// Weights are integers, equal to those in glsl/pupil/preparation/fill.frag, so both backends produce equal bytes.
// Distances are carried from row to row, sixteen columns at a time. Upward ones are carried on the way down, downward
// ones in a first pass from the bottom of a strip to its top. A strip without a masked pixel is copied.

const STRIP: i32 = 64;
/** Bytes at both ends of a line, 255: no pixel. */
const MARGIN: i32 = 16;
const NONE: u8 = 255;
/**
 * 2^20, and 2^20 divided by the square root of 2. Divided by the number of steps, at most 254, they are the weights.
 * Eight times 255 of them stay below 2^31.
 */
const STRAIGHT: f32 = 1048576;
const SLANT: f32 = 741455;

/** Distances in one row to the next unmasked pixel, from the distances of the previous row, which begin at `from`. */
function carry(mask: usize, from: usize, to: usize, begin: i32, end: i32): void {
  const one = i8x16.splat(1);
  const zero = i8x16.splat(0);
  for (let x = begin; x < end; x += 16) {
    const hidden = i8x16.ne(v128.load(mask + <usize>x), zero);
    v128.store(to + <usize>x, v128.and(i8x16.add_sat_u(v128.load(from + <usize>x), one), hidden));
  }
}

/**
 * Carries the distances to the left, straight and to the right: three lines of `line` bytes each. Column 0 is at `at`.
 */
function carryAll(mask: usize, at: usize, to: usize, line: i32, begin: i32, end: i32, width: i32): void {
  const none = i8x16.splat(-1);
  // After the last column, where the mask is not defined.
  const stop = min((end + 15) & ~15, width);
  for (let k = 0; k < 3; k++, at += <usize>line, to += <usize>line) {
    carry(mask, at + <usize>(k - 1), to, begin, end);
    v128.store(to + <usize>(begin - 16), none);
    v128.store(to + <usize>stop, none);
  }
}

/**
 * Merges the first masked column of a row and the one after its last, or `none` and 0, with the values so far: last <<
 * 16 | first.
 */
function masked(mask: usize, width: i32, seen: i32): i32 {
  let first = seen & 0xffff;
  let last = seen >>> 16;
  let x = 0;
  for (; x + 16 <= width; x += 16) {
    if (!v128.any_true(v128.load(mask + <usize>x))) continue;
    first = min(first, x);
    last = max(last, x + 16);
  }
  for (; x < width; x++) {
    if (!load<u8>(mask + <usize>x)) continue;
    first = min(first, x & ~15);
    last = max(last, x + 1);
  }
  return (last << 16) | first;
}

/** A distance, or 0 if it is too large. */
function within(distance: i32, reach: i32): i32 {
  return select(0, distance, distance > reach);
}

function four(a: i32, b: i32, c: i32, d: i32): v128 {
  return i32x4.replace_lane(i32x4.replace_lane(i32x4.replace_lane(i32x4.splat(a), 1, b), 2, c), 3, d);
}

function total(v: v128): u32 {
  return i32x4.extract_lane(v, 0) + i32x4.extract_lane(v, 1) + (i32x4.extract_lane(v, 2) + i32x4.extract_lane(v, 3));
}

/** Integers, 0 for a distance of 0. Float rounding never raises a quotient to the next integer, so this is exact. */
function weigh(distance: v128, weight: v128): v128 {
  const far = i32x4.ne(distance, i32x4.splat(0));
  return v128.and(far, i32x4.trunc_sat_f32x4_s(f32x4.div(weight, f32x4.convert_i32x4_s(distance))));
}

/** Bytes of scratch for images of this width. */
export function fillReflectionsScratch(width: i32): i32 {
  return 3 * (STRIP + 2) * (((width + 15) & ~15) + 2 * MARGIN) + 64;
}

/**
 * Rows y0..y1-1: target = source if the mask is 0, otherwise the weighted mean. At most `reach` (254) pixels in each
 * direction.
 */
export function fillReflections(
  source: usize,
  sourceStride: i32,
  mask: usize,
  maskStride: i32,
  target: usize,
  targetStride: i32,
  width: i32,
  height: i32,
  reach: i32,
  y0: i32,
  y1: i32,
  scratch: usize,
): i32 {
  const line = ((width + 15) & ~15) + 2 * MARGIN;
  const three = <usize>(3 * line);
  const above = sourceStride + 1;
  for (let top = y0; top < y1; top += STRIP) {
    const bottom = min(top + STRIP, y1);
    let seen = 0xffff;
    for (let y = top; y < bottom; y++) {
      memory.copy(target + <usize>(y * targetStride), source + <usize>(y * sourceStride), width);
      seen = masked(mask + <usize>(y * maskStride), width, seen);
    }
    if (!(seen >>> 16)) continue;
    // Diagonals extend sideways by their vertical distance.
    const begin = max(0, ((seen & 0xffff) - reach) & ~15);
    const end = min(width, (seen >>> 16) + reach);
    // Downward distances: from the bottom up. Rows below the strip alternate in its last two lines.
    const down = scratch + <usize>MARGIN;
    const spare = down + three * STRIP;
    memory.fill(spare - MARGIN, NONE, three * 2);
    let from = spare;
    for (let y = min(height, bottom + reach) - 1; y >= top; y--) {
      const to = y < bottom ? down + three * <usize>(y - top) : from == spare ? spare + three : spare;
      carryAll(mask + <usize>(y * maskStride), from, to, line, begin, end, width);
      from = to;
    }
    // Upward distances: from the top down, in two lines.
    memory.fill(spare - MARGIN, NONE, three * 2);
    from = spare;
    for (let y = max(0, top - reach); y < bottom; y++) {
      const to = from == spare ? spare + three : spare;
      const hidden = mask + <usize>(y * maskStride);
      carryAll(hidden, from, to, line, begin, end, width);
      from = to;
      if (y < top) continue;
      const below = down + three * <usize>(y - top);
      const row = source + <usize>(y * sourceStride);
      const out = target + <usize>(y * targetStride);
      for (let x = seen & 0xffff; x < min(width, seen >>> 16); x++) {
        if (!load<u8>(hidden + <usize>x)) continue;
        // A sequence of masked pixels.
        let behind = x + 1;
        while (behind < width && load<u8>(hidden + <usize>behind)) behind++;
        for (let i = x; i < behind; i++) {
          const left = x > 0 ? i - x + 1 : <i32>NONE;
          const right = behind < width ? behind - i : <i32>NONE;
          // Upper left, up, upper right, left, then right, lower left, down, lower right. NONE becomes 0 here.
          const h = within(left, reach);
          const g = within(right, reach);
          const a = within(load<u8>(to + <usize>i), reach);
          const b = within(load<u8>(to + <usize>(line + i)), reach);
          const c = within(load<u8>(to + <usize>(2 * line + i)), reach);
          const d = within(load<u8>(below + <usize>i), reach);
          const e = within(load<u8>(below + <usize>(line + i)), reach);
          const f = within(load<u8>(below + <usize>(2 * line + i)), reach);
          const p = row + <usize>i;
          const first = weigh(four(a, b, c, h), f32x4(SLANT, STRAIGHT, SLANT, STRAIGHT));
          const second = weigh(four(g, d, e, f), f32x4(STRAIGHT, SLANT, STRAIGHT, SLANT));
          const level = four(
            load<u8>(p - <usize>(a * above)),
            load<u8>(p - <usize>(b * sourceStride)),
            load<u8>(p - <usize>(c * (sourceStride - 1))),
            load<u8>(p - <usize>h),
          );
          const other = four(
            load<u8>(p + <usize>g),
            load<u8>(p + <usize>(d * (sourceStride - 1))),
            load<u8>(p + <usize>(e * sourceStride)),
            load<u8>(p + <usize>(f * above)),
          );
          const weight = total(i32x4.add(first, second));
          const sum = total(i32x4.add(i32x4.mul(level, first), i32x4.mul(other, second)));
          if (weight) store<u8>(out + <usize>i, (sum + (weight >> 1)) / weight);
        }
        x = behind;
      }
    }
  }
  return 0;
}
