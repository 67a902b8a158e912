// Similarity transforms between point sets in the plane (section 4.2.4 of the thesis, Umeyama 1991). The best rotation
// and scale have a closed form in two dimensions. Both sets are centered on their means. With a = sum of p . q and b =
// sum of p x q, the matrix is (a, -b; b, a) divided by the spread of p. This equals U S V' of the covariance's singular
// values, including the reflection case: a mirrored target gets the best rotation, never a mirror image.

/** Mean of `count` points, x and y as 32-bit floats, written to out as two doubles. */
function mean(points: usize, count: i32, out: usize): void {
  let x: f64 = 0;
  let y: f64 = 0;
  for (let p = points, end = points + ((<usize>count) << 3); p < end; p += 8) {
    x += <f64>load<f32>(p);
    y += <f64>load<f32>(p, 4);
  }
  store<f64>(out, x / <f64>count);
  store<f64>(out, y / <f64>count, 8);
}

/**
 * Rotation and scale from `from` to `to`: out[0] = a, out[1] = b of the matrix (a, -b; b, a), doubles. Uses the next
 * four doubles as scratch. The identity matrix if `from` has no spread.
 */
export function similarityMatrix(from: usize, to: usize, count: i32, out: usize): void {
  mean(from, count, out + 16);
  mean(to, count, out + 32);
  const fx = load<f64>(out, 16);
  const fy = load<f64>(out, 24);
  const tx = load<f64>(out, 32);
  const ty = load<f64>(out, 40);
  let a: f64 = 0;
  let b: f64 = 0;
  let spread: f64 = 0;
  for (let i: usize = 0; i < (<usize>count) << 3; i += 8) {
    const px = <f64>load<f32>(from + i) - fx;
    const py = <f64>load<f32>(from + i, 4) - fy;
    const qx = <f64>load<f32>(to + i) - tx;
    const qy = <f64>load<f32>(to + i, 4) - ty;
    a += px * qx + py * qy;
    b += px * qy - py * qx;
    spread += px * px + py * py;
  }
  store<f64>(out, spread > 0 ? a / spread : 1);
  store<f64>(out, spread > 0 ? b / spread : 0, 8);
}
