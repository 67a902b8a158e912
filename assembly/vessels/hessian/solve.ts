/** Writes both eigenvalues of four pixels to `p` and `q`. `ordered`: by magnitude, otherwise ascending. */
export function solve(xx: v128, yy: v128, xy: v128, p: usize, q: usize, half: v128, mask: v128): void {
  const mean = f32x4.mul(half, f32x4.add(xx, yy));
  const difference = f32x4.mul(half, f32x4.sub(xx, yy));
  const root = f32x4.sqrt(f32x4.add(f32x4.mul(difference, difference), f32x4.mul(xy, xy)));
  // The eigenvalue with the larger magnitude has the root with the sign of the mean.
  const signed = v128.or(root, v128.and(mean, mask));
  v128.store(p, f32x4.sub(mean, signed));
  v128.store(q, f32x4.add(mean, signed));
}
