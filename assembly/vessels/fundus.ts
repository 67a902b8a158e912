// From the photograph to the plane that vessels are sought in: means over blocks, background, normalised contrast.

/** Bytes from one pixel to the next are 1 (gray) or 4 (RGBA). Sum of one channel over a block of rows and columns. */
function blockSum(src: usize, stride: i32, step: i32, x0: i32, x1: i32, y0: i32, y1: i32): i32 {
  let sum = 0;
  for (let y = y0; y < y1; y++) {
    let p = src + <usize>(y * stride + x0 * step);
    for (const end = p + <usize>((x1 - x0) * step); p < end; p += step) sum += load<u8>(p);
  }
  return sum;
}

/** Mean brightness of blocks, rows y0..y1-1 of them: of the brightest channel. Blocks at the ends may be smaller. */
export function blockBrightness(
  src: usize,
  stride: i32,
  step: i32,
  width: i32,
  height: i32,
  block: i32,
  dst: usize,
  dstStride: i32,
  y0: i32,
  y1: i32,
  scratch: usize,
): i32 {
  for (let y = y0; y < y1; y++) {
    const top = y * block;
    const bottom = min(top + block, height);
    const out = dst + <usize>(y * dstStride);
    for (let x = 0; x * block < width; x++) {
      const left = x * block;
      const right = min(left + block, width);
      let sum = blockSum(src, stride, step, left, right, top, bottom);
      if (step > 1) {
        sum = max(sum, blockSum(src + 1, stride, step, left, right, top, bottom));
        sum = max(sum, blockSum(src + 2, stride, step, left, right, top, bottom));
      }
      store<f32>(out + ((<usize>x) << 2), <f32>sum / <f32>((right - left) * (bottom - top)));
    }
  }
  return 0;
}

/** Means of one channel over whole blocks of `block` x `block`, rows y0..y1-1 of them. `src`: the channel's first byte. */
export function blockMean(
  src: usize,
  stride: i32,
  step: i32,
  block: i32,
  dst: usize,
  dstStride: i32,
  width: i32,
  y0: i32,
  y1: i32,
  scratch: usize,
): i32 {
  const scale: f32 = <f32>1 / <f32>(block * block);
  for (let y = y0; y < y1; y++) {
    const out = dst + <usize>(y * dstStride);
    if (block == 1) {
      let p = src + <usize>(y * stride);
      for (let x = 0; x < width; x++, p += step) store<f32>(out + ((<usize>x) << 2), <f32>load<u8>(p));
    } else
      for (let x = 0; x < width; x++)
        store<f32>(
          out + ((<usize>x) << 2),
          <f32>blockSum(src, stride, step, x * block, (x + 1) * block, y * block, (y + 1) * block) * scale,
        );
  }
  return 0;
}

/** One row of a coarse plane between its rows, in `line`: coarse samples lie at the centres of their blocks. */
function between(coarse: usize, stride: i32, columns: i32, rows: i32, at: f32, line: usize): void {
  const v = min(max(at, <f32>0), <f32>(rows - 1));
  const top = <i32>v;
  const weight = v - <f32>top;
  const a = coarse + <usize>(top * stride);
  const b = coarse + <usize>(min(top + 1, rows - 1) * stride);
  const t = f32x4.splat(weight);
  for (let x: usize = 0, end = (<usize>columns) << 2; x < end; x += 16) {
    const upper = v128.load(a + x);
    v128.store(line + x, f32x4.add(upper, f32x4.mul(t, f32x4.sub(v128.load(b + x), upper))));
  }
  store<f32>(line + ((<usize>columns) << 2), load<f32>(line + ((<usize>(columns - 1)) << 2)));
}

/** Coordinate of fine sample i among coarse ones, `ratio` of them per fine one. */
function place(i: i32, ratio: f32): f32 {
  return (<f32>i + 0.5) * ratio - 0.5;
}

/** Sample x of a row that `between` made. */
function along(line: usize, x: i32, columns: i32, ratio: f32): f32 {
  const u = min(max(place(x, ratio), <f32>0), <f32>(columns - 1));
  const left = <i32>u;
  const p = line + ((<usize>left) << 2);
  const a = load<f32>(p);
  return a + (u - <f32>left) * (load<f32>(p, 4) - a);
}

/**
 * Rows y0..y1-1 of a plane enlarged by linear interpolation, from row `first` of the destination on. `level` below 0:
 * floats; else bytes of 255 where the value is above it. Scratch: 4 * columns + 8 * width + 64 bytes.
 */
export function enlarge(
  coarse: usize,
  coarseStride: i32,
  columns: i32,
  rows: i32,
  ratio: f32,
  dst: usize,
  dstStride: i32,
  width: i32,
  level: f32,
  first: i32,
  y0: i32,
  y1: i32,
  scratch: usize,
): i32 {
  const line = scratch;
  const table = line + ((<usize>(columns + 8)) << 2); // address and weight of every column
  for (let x = 0; x < width; x++) {
    const u = min(max(place(x, ratio), <f32>0), <f32>(columns - 1));
    const left = <i32>u;
    store<u32>(table + ((<usize>x) << 3), <u32>(line + ((<usize>left) << 2)));
    store<f32>(table + ((<usize>x) << 3), u - <f32>left, 4);
  }
  const end = table + ((<usize>width) << 3);
  for (let y = y0; y < y1; y++) {
    between(coarse, coarseStride, columns, rows, place(y, ratio), line);
    let out = dst + <usize>((y - first) * dstStride);
    if (level < 0)
      for (let t = table; t < end; t += 8, out += 4) {
        const p = <usize>load<u32>(t);
        const a = load<f32>(p);
        store<f32>(out, a + load<f32>(t, 4) * (load<f32>(p, 4) - a));
      }
    else
      for (let t = table; t < end; t += 8, out++) {
        const p = <usize>load<u32>(t);
        const a = load<f32>(p);
        store<u8>(out, a + load<f32>(t, 4) * (load<f32>(p, 4) - a) > level ? 255 : 0);
      }
  }
  return 0;
}

/**
 * Sums over blocks of the samples under the mask, and their number, rows y0..y1-1 of blocks. With `ceiling` above 0 the
 * samples are cut at that multiple of the background: bright lesions and the disc would cast dark rims otherwise.
 */
export function maskedSums(
  src: usize,
  stride: i32,
  mask: usize,
  maskStride: i32,
  width: i32,
  height: i32,
  block: i32,
  background: usize,
  backgroundStride: i32,
  columns: i32,
  rows: i32,
  ceiling: f32,
  sums: usize,
  counts: usize,
  y0: i32,
  y1: i32,
  scratch: usize,
): i32 {
  const ratio: f32 = <f32>1 / <f32>block;
  for (let by = y0; by < y1; by++) {
    const out = <usize>(by * backgroundStride);
    for (let x = 0; x < columns; x++) {
      store<f32>(sums + out + ((<usize>x) << 2), 0);
      store<f32>(counts + out + ((<usize>x) << 2), 0);
    }
    for (let y = by * block, end = min(y + block, height); y < end; y++) {
      const p = src + <usize>(y * stride);
      const m = mask + <usize>(y * maskStride);
      if (ceiling > 0) between(background, backgroundStride, columns, rows, place(y, ratio), scratch);
      for (let bx = 0, x = 0; bx < columns; bx++) {
        let sum: f32 = 0;
        let count: f32 = 0;
        for (const last = min(x + block, width); x < last; x++) {
          if (!load<u8>(m + x)) continue;
          let v = load<f32>(p + ((<usize>x) << 2));
          if (ceiling > 0) v = min(v, ceiling * along(scratch, x, columns, ratio));
          sum += v;
          count += 1;
        }
        const q = out + ((<usize>bx) << 2);
        store<f32>(sums + q, load<f32>(sums + q) + sum);
        store<f32>(counts + q, load<f32>(counts + q) + count);
      }
    }
  }
  return 0;
}

/**
 * Contrast against the background in percent, in place, 0 outside of the mask: (min(v, ceiling b1) - b2) over
 * (b2 + offset) scaled so that a background of `level` stays as it is.
 */
export function contrast(
  plane: usize,
  stride: i32,
  mask: usize,
  maskStride: i32,
  width: i32,
  block: i32,
  first: usize,
  second: usize,
  backgroundStride: i32,
  columns: i32,
  rows: i32,
  ceiling: f32,
  offset: f32,
  gain: f32,
  y0: i32,
  y1: i32,
  scratch: usize,
): i32 {
  const ratio: f32 = <f32>1 / <f32>block;
  const other = scratch + (((<usize>(columns + 8)) << 2) & ~15);
  for (let y = y0; y < y1; y++) {
    between(first, backgroundStride, columns, rows, place(y, ratio), scratch);
    between(second, backgroundStride, columns, rows, place(y, ratio), other);
    const p = plane + <usize>(y * stride);
    const m = mask + <usize>(y * maskStride);
    for (let x = 0; x < width; x++) {
      const q = p + ((<usize>x) << 2);
      if (!load<u8>(m + x)) {
        store<f32>(q, 0);
        continue;
      }
      const b1 = along(scratch, x, columns, ratio);
      const b2 = along(other, x, columns, ratio);
      store<f32>(q, (gain * (min(load<f32>(q), ceiling * b1) - b2)) / (max(b2, <f32>1) + offset));
    }
  }
  return 0;
}
