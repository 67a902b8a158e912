// Rows of gradients and of their magnitude for Canny, in 16 bits. There are two operators. One is Sobel 3x3. The other
// is the first derivative of a Gaussian of sigma 1 as seven integer taps (-2 -19 -43 0 43 19 2), each along one axis of
// an image smoothed before. The border is replicated. Rows of dx and dy may be written to the next multiple of 8
// samples.

/** Row with index y, replicated outside the image. */
export function rowOf(source: usize, stride: i32, y: i32, height: i32): usize {
  return source + <usize>(min(max(y, 0), height - 1) * stride);
}

/** Sobel of the row b between a and c, and |dx| + |dy|. */
export function sobelRow(a: usize, b: usize, c: usize, width: i32, dx: usize, dy: usize, magnitude: usize): void {
  const endA = a + <usize>width;
  const x = <usize>(width - 1);
  const w = <usize>max(width - 2, 0);
  const right = <i32>load<u8>(a + x) + 2 * <i32>load<u8>(b + x) + <i32>load<u8>(c + x);
  const left = <i32>load<u8>(a + w) + 2 * <i32>load<u8>(b + w) + <i32>load<u8>(c + w);
  const down = <i32>load<u8>(c + w) + 3 * <i32>load<u8>(c + x) - <i32>load<u8>(a + w) - 3 * <i32>load<u8>(a + x);
  const lastX = dx + (x << 1);
  const lastY = dy + (x << 1);
  const last = magnitude + (x << 1);
  // Columns: weighted sums and differences. `from` is the vector to the left, `next` the one to the right.
  let p = v128.load8x8_u(a);
  let q = v128.load8x8_u(c);
  let r = v128.load8x8_u(b);
  let sum = i16x8.add(i16x8.add(p, q), i16x8.add(r, r));
  let step = i16x8.sub(q, p);
  let sumFrom = i16x8.splat(i16x8.extract_lane_s(sum, 0));
  let stepFrom = i16x8.splat(i16x8.extract_lane_s(step, 0));
  for (; a < endA; a += 8, b += 8, c += 8, dx += 16, dy += 16, magnitude += 16) {
    p = v128.load8x8_u(a, 8);
    q = v128.load8x8_u(c, 8);
    r = v128.load8x8_u(b, 8);
    const sumNext = i16x8.add(i16x8.add(p, q), i16x8.add(r, r));
    const stepNext = i16x8.sub(q, p);
    const across = i16x8.sub(
      i16x8.shuffle(sum, sumNext, 1, 2, 3, 4, 5, 6, 7, 8),
      i16x8.shuffle(sumFrom, sum, 7, 8, 9, 10, 11, 12, 13, 14),
    );
    const along = i16x8.add(
      i16x8.add(
        i16x8.shuffle(step, stepNext, 1, 2, 3, 4, 5, 6, 7, 8),
        i16x8.shuffle(stepFrom, step, 7, 8, 9, 10, 11, 12, 13, 14),
      ),
      i16x8.add(step, step),
    );
    v128.store(dx, across);
    v128.store(dy, along);
    v128.store(magnitude, i16x8.add(i16x8.abs(across), i16x8.abs(along)));
    sumFrom = sum;
    sum = sumNext;
    stepFrom = step;
    step = stepNext;
  }
  // The last column, whose right neighbor is itself.
  store<i16>(lastX, <i16>(right - left));
  store<i16>(lastY, <i16>down);
  store<i16>(last, <i16>(abs(right - left) + abs(down)));
}

/** The seven taps on three pairs of neighbors, the outermost last. */
function derivative(p1: usize, m1: usize, p2: usize, m2: usize, p3: usize, m3: usize): v128 {
  return i16x8.add(
    i16x8.mul(i16x8.sub(v128.load8x8_u(p1), v128.load8x8_u(m1)), i16x8.splat(43)),
    i16x8.add(
      i16x8.mul(i16x8.sub(v128.load8x8_u(p2), v128.load8x8_u(m2)), i16x8.splat(19)),
      i16x8.mul(i16x8.sub(v128.load8x8_u(p3), v128.load8x8_u(m3)), i16x8.splat(2)),
    ),
  );
}

/**
 * Derivatives of Gaussian at row y, and |dx| + |dy| (at most 32640). `padded`: space for a row and 16 bytes on both
 * ends.
 */
export function derivativeRow(
  source: usize,
  stride: i32,
  y: i32,
  width: i32,
  height: i32,
  padded: usize,
  dx: usize,
  dy: usize,
  magnitude: usize,
): void {
  const row = rowOf(source, stride, y, height);
  memory.copy(padded, row, width);
  memory.fill(padded - 4, load<u8>(row), 4);
  memory.fill(padded + width, load<u8>(row + width - 1), 16);
  const b1 = rowOf(source, stride, y + 1, height);
  const a1 = rowOf(source, stride, y - 1, height);
  const b2 = rowOf(source, stride, y + 2, height);
  const a2 = rowOf(source, stride, y - 2, height);
  const b3 = rowOf(source, stride, y + 3, height);
  const a3 = rowOf(source, stride, y - 3, height);
  for (let x: usize = 0; x < <usize>width; x += 8) {
    const p = padded + x;
    const across = derivative(p + 1, p - 1, p + 2, p - 2, p + 3, p - 3);
    const along = derivative(b1 + x, a1 + x, b2 + x, a2 + x, b3 + x, a3 + x);
    v128.store(dx + (x << 1), across);
    v128.store(dy + (x << 1), along);
    v128.store(magnitude + (x << 1), i16x8.add(i16x8.abs(across), i16x8.abs(along)));
  }
}

/** dx^2 + dy^2 in 32 bits. */
export function squaredRow(dx: usize, dy: usize, width: i32, magnitude: usize): void {
  for (const end = dx + <usize>(width << 1); dx < end; dx += 16, dy += 16, magnitude += 32) {
    const across = v128.load(dx);
    const along = v128.load(dy);
    const low = i16x8.shuffle(across, along, 0, 8, 1, 9, 2, 10, 3, 11);
    const high = i16x8.shuffle(across, along, 4, 12, 5, 13, 6, 14, 7, 15);
    v128.store(magnitude, i32x4.dot_i16x8_s(low, low));
    v128.store(magnitude, i32x4.dot_i16x8_s(high, high), 16);
  }
}
