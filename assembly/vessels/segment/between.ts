// Linear interpolation between coarse samples at the centers of their blocks.

/** `line` = the upper row plus `weight` times the difference to the lower one, with one extra sample. */
function mixRows(upper: usize, lower: usize, columns: i32, weight: f32, line: usize): void {
  const t = f32x4.splat(weight);
  for (let x: usize = 0, end = (<usize>columns) << 2; x < end; x += 16) {
    const a = v128.load(upper + x);
    v128.store(line + x, f32x4.add(a, f32x4.mul(t, f32x4.sub(v128.load(lower + x), a))));
  }
  store<f32>(line + ((<usize>columns) << 2), load<f32>(line + ((<usize>(columns - 1)) << 2)));
}

/** Writes the row at coordinate `at` of a coarse plane to `line`. */
export function between(coarse: usize, stride: i32, columns: i32, rows: i32, at: f32, line: usize): void {
  const v = min(max(at, <f32>0), <f32>(rows - 1));
  const top = <i32>v;
  const upper = coarse + <usize>(top * stride);
  mixRows(upper, coarse + <usize>(min(top + 1, rows - 1) * stride), columns, v - <f32>top, line);
}

/** Row y of a coarse plane enlarged `block` times, vertically only. Exact for large y as well. */
export function betweenBlocks(
  coarse: usize,
  stride: i32,
  columns: i32,
  rows: i32,
  block: i32,
  y: i32,
  line: usize,
): void {
  const halves = max(2 * y + 1 - block, 0);
  const whole = 2 * block;
  const top = min(halves / whole, rows - 1);
  const part = halves - whole * top;
  const weight = <f32>part / <f32>whole;
  const upper = coarse + <usize>(top * stride);
  mixRows(upper, coarse + <usize>(min(top + 1, rows - 1) * stride), columns, weight, line);
}

/** Coordinate of fine sample i in the coarse plane. `ratio`: coarse samples per fine sample. */
export function place(i: i32, ratio: f32): f32 {
  return (<f32>i + 0.5) * ratio - 0.5;
}

/** Weights of the right one of two neighbors for the `block` samples between their centers, and for three more. */
export function blockWeights(block: i32, table: usize): void {
  const ratio: f32 = <f32>1 / <f32>block;
  for (let i = 0; i < block + 3; i++) store<f32>(table + ((<usize>i) << 2), place(i + (block >> 1), ratio));
}

/** The part left of the first center: `value` in the first block / 2 samples. */
function lead(out: usize, count: i32, value: v128): usize {
  for (let x = 0; x < count; x += 4) v128.store(out + ((<usize>x) << 2), value);
  return out + ((<usize>count) << 2);
}

/**
 * Enlarges a row from `between` horizontally by `block`, times `factor`: `width` floats at `out`. Up to `block` + 3
 * more are overwritten. `table`: see blockWeights.
 */
export function spreadRow(
  line: usize,
  columns: i32,
  block: i32,
  factor: f32,
  table: usize,
  out: usize,
  width: i32,
): void {
  const f = f32x4.splat(factor);
  if (block == 1) {
    for (let x: usize = 0, end = (<usize>width) << 2; x < end; x += 16)
      v128.store(out + x, f32x4.mul(f, v128.load(line + x)));
    return;
  }
  const end = out + ((<usize>width) << 2);
  const whole = line + ((<usize>(columns - 1)) << 2);
  out = lead(out, block >> 1, f32x4.mul(f, v128.load32_splat(line)));
  const bytes = (<usize>block) << 2;
  for (let p = line; p < whole; p += 4, out += bytes) {
    const a = f32x4.mul(f, v128.load32_splat(p));
    const d = f32x4.sub(f32x4.mul(f, v128.load32_splat(p, 4)), a);
    for (let j: usize = 0; j < bytes; j += 16) v128.store(out + j, f32x4.add(a, f32x4.mul(v128.load(table + j), d)));
  }
  const last = f32x4.mul(f, v128.load32_splat(whole));
  for (; out < end; out += 16) v128.store(out, last);
}
