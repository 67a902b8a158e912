// Correlations of stored patches. Separate from model-patches.ts, because the scalar baseline of the benchmarks has a
// different version.

/** Bytes of a stored patch: 225 values and padding. */
export const STORED_BYTES: usize = 960;

/** Correlations of one patch with `count` consecutive stored ones. */
export function patchCorrelations(patch: usize, stored: usize, count: i32, target: usize): i32 {
  for (let n = 0; n < count; n++, stored += STORED_BYTES) {
    let s0 = f32x4.splat(0);
    let s1 = f32x4.splat(0);
    let s2 = f32x4.splat(0);
    let s3 = f32x4.splat(0);
    for (let i: usize = 0; i < STORED_BYTES; i += 64) {
      s0 = f32x4.add(s0, f32x4.mul(v128.load(patch + i), v128.load(stored + i)));
      s1 = f32x4.add(s1, f32x4.mul(v128.load(patch + i, 16), v128.load(stored + i, 16)));
      s2 = f32x4.add(s2, f32x4.mul(v128.load(patch + i, 32), v128.load(stored + i, 32)));
      s3 = f32x4.add(s3, f32x4.mul(v128.load(patch + i, 48), v128.load(stored + i, 48)));
    }
    const s = f32x4.add(f32x4.add(s0, s1), f32x4.add(s2, s3));
    store<f32>(
      target + <usize>(n << 2),
      f32x4.extract_lane(s, 0) + f32x4.extract_lane(s, 1) + (f32x4.extract_lane(s, 2) + f32x4.extract_lane(s, 3)),
    );
  }
  return 0;
}
