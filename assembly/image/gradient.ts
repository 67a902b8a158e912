// Sobel and Scharr gradients: [-1 0 1] across, [side center side] along. Correlation, border replicated.

import { Register } from '../runtime/wasm/registers';

/** The rows above and below row y, replicated. */
function above(source: usize, stride: i32, y: i32): usize {
  return source + <usize>(max(y - 1, 0) * stride);
}
function below(source: usize, stride: i32, y: i32, height: i32): usize {
  return source + <usize>(min(y + 1, height - 1) * stride);
}

/** The last column, whose right neighbor is itself. */
function lastColumn(a: usize, b: usize, c: usize, width: i32, side: i32, center: i32, dx: usize, dy: usize): void {
  const x = width - 1;
  const w = max(x - 1, 0);
  const smooth = side * (<i32>load<u8>(a + x) + <i32>load<u8>(c + x)) + center * <i32>load<u8>(b + x);
  const smoothLeft = side * (<i32>load<u8>(a + w) + <i32>load<u8>(c + w)) + center * <i32>load<u8>(b + w);
  const step = <i32>load<u8>(c + x) - <i32>load<u8>(a + x);
  const stepLeft = <i32>load<u8>(c + w) - <i32>load<u8>(a + w);
  store<i16>(dx + (x << 1), <i16>(smooth - smoothLeft));
  store<i16>(dy + (x << 1), <i16>(side * (stepLeft + step) + center * step));
}

/** Rows y0..y1-1 of both derivatives of an 8-bit image as 16-bit integers, unscaled. */
export function gradientI16(
  source: usize,
  sourceStride: i32,
  dx: usize,
  dxStride: i32,
  dy: usize,
  dyStride: i32,
  width: i32,
  height: i32,
  side: i32,
  center: i32,
  y0: i32,
  y1: i32,
  scratch: usize,
): i32 {
  const sides = Register.vector(i16x8.splat(<i16>side), scratch);
  const centers = Register.vector(i16x8.splat(<i16>center), scratch);
  for (let y = y0; y < y1; y++) {
    let a = above(source, sourceStride, y);
    let b = source + <usize>(y * sourceStride);
    let c = below(source, sourceStride, y, height);
    let outX = dx + <usize>(y * dxStride);
    let outY = dy + <usize>(y * dyStride);
    const end = outX + <usize>(width << 1);
    let p = v128.load8x8_u(a);
    let q = v128.load8x8_u(c);
    // Columns: weighted sums and differences. `last` is the vector to the left, `next` the one to the right.
    let sum = i16x8.add(i16x8.mul(i16x8.add(p, q), sides), i16x8.mul(v128.load8x8_u(b), centers));
    let step = i16x8.sub(q, p);
    let sumLast = i16x8.splat(i16x8.extract_lane_s(sum, 0));
    let stepLast = i16x8.splat(i16x8.extract_lane_s(step, 0));
    for (; outX < end; outX += 16, outY += 16) {
      a += 8;
      b += 8;
      c += 8;
      p = v128.load8x8_u(a);
      q = v128.load8x8_u(c);
      const sumNext = i16x8.add(i16x8.mul(i16x8.add(p, q), sides), i16x8.mul(v128.load8x8_u(b), centers));
      const stepNext = i16x8.sub(q, p);
      v128.store(
        outX,
        i16x8.sub(
          i16x8.shuffle(sum, sumNext, 1, 2, 3, 4, 5, 6, 7, 8),
          i16x8.shuffle(sumLast, sum, 7, 8, 9, 10, 11, 12, 13, 14),
        ),
      );
      v128.store(
        outY,
        i16x8.add(
          i16x8.mul(
            i16x8.add(
              i16x8.shuffle(step, stepNext, 1, 2, 3, 4, 5, 6, 7, 8),
              i16x8.shuffle(stepLast, step, 7, 8, 9, 10, 11, 12, 13, 14),
            ),
            sides,
          ),
          i16x8.mul(step, centers),
        ),
      );
      sumLast = sum;
      sum = sumNext;
      stepLast = step;
      step = stepNext;
    }
    lastColumn(
      above(source, sourceStride, y),
      source + <usize>(y * sourceStride),
      below(source, sourceStride, y, height),
      width,
      side,
      center,
      dx + <usize>(y * dxStride),
      dy + <usize>(y * dyStride),
    );
  }
  return 0;
}

/** One sample of both derivatives. The columns w, x, e of the rows a, b, c are in bytes. */
function gradientAt(
  a: usize,
  b: usize,
  c: usize,
  w: i32,
  x: i32,
  e: i32,
  side: f32,
  center: f32,
  outX: usize,
  outY: usize,
): void {
  const right = side * (load<f32>(a + e) + load<f32>(c + e)) + center * load<f32>(b + e);
  const left = side * (load<f32>(a + w) + load<f32>(c + w)) + center * load<f32>(b + w);
  store<f32>(outX + x, right - left);
  const stepRight = load<f32>(c + e) - load<f32>(a + e);
  const stepLeft = load<f32>(c + w) - load<f32>(a + w);
  store<f32>(outY + x, side * (stepLeft + stepRight) + center * (load<f32>(c + x) - load<f32>(a + x)));
}

/** Rows y0..y1-1 of both derivatives of a float image. */
export function gradientF32(
  source: usize,
  sourceStride: i32,
  dx: usize,
  dxStride: i32,
  dy: usize,
  dyStride: i32,
  width: i32,
  height: i32,
  side: f32,
  center: f32,
  y0: i32,
  y1: i32,
  scratch: usize,
): i32 {
  const sides = Register.vector(f32x4.splat(side), scratch);
  const centers = Register.vector(f32x4.splat(center), scratch);
  const end = width << 2;
  for (let y = y0; y < y1; y++) {
    const a = Register.address(above(source, sourceStride, y), scratch);
    const b = Register.address(source + <usize>(y * sourceStride), scratch);
    const c = Register.address(below(source, sourceStride, y, height), scratch);
    const outX = dx + <usize>(y * dxStride);
    const outY = dy + <usize>(y * dyStride);
    let p = v128.load(a);
    let q = v128.load(c);
    let sum = f32x4.add(f32x4.mul(f32x4.add(p, q), sides), f32x4.mul(v128.load(b), centers));
    let step = f32x4.sub(q, p);
    let sumLast = sum;
    let stepLast = step;
    for (let x = 0; x < end; x += 16) {
      p = v128.load(a + x, 16);
      q = v128.load(c + x, 16);
      const sumNext = f32x4.add(f32x4.mul(f32x4.add(p, q), sides), f32x4.mul(v128.load(b + x, 16), centers));
      const stepNext = f32x4.sub(q, p);
      v128.store(outX + x, f32x4.sub(i32x4.shuffle(sum, sumNext, 1, 2, 3, 4), i32x4.shuffle(sumLast, sum, 3, 4, 5, 6)));
      v128.store(
        outY + x,
        f32x4.add(
          f32x4.mul(
            f32x4.add(i32x4.shuffle(step, stepNext, 1, 2, 3, 4), i32x4.shuffle(stepLast, step, 3, 4, 5, 6)),
            sides,
          ),
          f32x4.mul(step, centers),
        ),
      );
      sumLast = sum;
      sum = sumNext;
      stepLast = step;
      step = stepNext;
    }
    // The border columns, where the outer neighbor is the column itself.
    gradientAt(a, b, c, 0, 0, width > 1 ? 4 : 0, side, center, outX, outY);
    if (width > 1) gradientAt(a, b, c, end - 8, end - 4, end - 4, side, center, outX, outY);
  }
  return 0;
}
