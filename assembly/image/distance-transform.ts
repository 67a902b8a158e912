// Exact Euclidean distance to the nearest zero sample in two passes. The first goes down and up the columns. The second
// computes the lower envelope of the parabolas of a row (Felzenszwalb and Huttenlocher, Theory of Computing 8, 2012).

/** Distances along the columns y0..y1-1 (the kernel's bands are columns), `far` where a column has no zero. */
export function distanceColumns(
  source: usize,
  sourceStride: i32,
  target: usize,
  targetStride: i32,
  height: i32,
  far: f32,
  y0: i32,
  y1: i32,
  scratch: usize,
): i32 {
  for (let x = y0; x < y1; x++) {
    let p = source + x;
    let q = target + ((<usize>x) << 2);
    let d = far;
    for (let y = 0; y < height; y++, p += sourceStride, q += targetStride) {
      d = load<u8>(p) ? min(d + 1, far) : 0;
      store<f32>(q, d);
    }
    d = far;
    for (let y = 0; y < height; y++) {
      q -= targetStride;
      d = min(load<f32>(q), d + 1);
      store<f32>(q, d);
    }
  }
  return 0;
}

/** Rows y0..y1-1 of the distance from those along the columns, in place. Scratch: 16 * width + 32 bytes. */
export function distanceRows(
  target: usize,
  targetStride: i32,
  width: i32,
  far: f32,
  y0: i32,
  y1: i32,
  scratch: usize,
): i32 {
  const squares = scratch; // of the distances along the columns
  const places = scratch + ((<usize>width) << 2); // of the parabolas in the envelope
  const begins = scratch + ((((<usize>width) << 3) + 7) & ~7); // start of each parabola's part
  for (let y = y0; y < y1; y++) {
    const row = target + <usize>(y * targetStride);
    for (let x = 0; x < width; x++) {
      const d = load<f32>(row + ((<usize>x) << 2));
      store<f32>(squares + ((<usize>x) << 2), d * d);
    }
    let k = 0;
    store<i32>(places, 0);
    store<f64>(begins, -Infinity);
    for (let x = 1; x < width; x++) {
      const f = <f64>load<f32>(squares + ((<usize>x) << 2)) + <f64>x * <f64>x;
      let s: f64 = 0;
      for (; k >= 0; k--) {
        const v = load<i32>(places + ((<usize>k) << 2));
        s = (f - (<f64>load<f32>(squares + ((<usize>v) << 2)) + <f64>v * <f64>v)) / <f64>(2 * (x - v));
        if (s > load<f64>(begins + ((<usize>k) << 3))) break;
      }
      k++;
      store<i32>(places + ((<usize>k) << 2), x);
      store<f64>(begins + ((<usize>k) << 3), s);
    }
    const last = k;
    k = 0;
    for (let x = 0; x < width; x++) {
      while (k < last && load<f64>(begins + ((<usize>(k + 1)) << 3)) < <f64>x) k++;
      const v = load<i32>(places + ((<usize>k) << 2));
      const d = <f64>(x - v);
      store<f32>(
        row + ((<usize>x) << 2),
        min(far, <f32>Math.sqrt(d * d + <f64>load<f32>(squares + ((<usize>v) << 2)))),
      );
    }
  }
  return 0;
}

export function distanceRowsScratch(width: i32): i32 {
  return 16 * width + 64;
}
