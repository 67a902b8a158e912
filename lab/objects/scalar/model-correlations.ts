// Correlations of stored patches without SIMD, in the place of assembly/objects/model-correlations.ts.

/** Bytes of a stored patch: 225 values and padding. */
export const STORED_BYTES: usize = 960;

/** One of the 16 running sums of assembly/objects/model-patch.ts, so that the bits are the same. */
function partial(patch: usize, stored: usize, lane: usize): f32 {
  let sum: f32 = 0;
  for (let i: usize = lane << 2; i < 960; i += 64) sum += load<f32>(patch + i) * load<f32>(stored + i);
  return sum;
}

export function patchCorrelations(patch: usize, stored: usize, count: i32, target: usize): i32 {
  for (let n = 0; n < count; n++, stored += 960) {
    const a =
      partial(patch, stored, 0) + partial(patch, stored, 4) + (partial(patch, stored, 8) + partial(patch, stored, 12));
    const b =
      partial(patch, stored, 1) + partial(patch, stored, 5) + (partial(patch, stored, 9) + partial(patch, stored, 13));
    const c =
      partial(patch, stored, 2) + partial(patch, stored, 6) + (partial(patch, stored, 10) + partial(patch, stored, 14));
    const d =
      partial(patch, stored, 3) + partial(patch, stored, 7) + (partial(patch, stored, 11) + partial(patch, stored, 15));
    store<f32>(target + <usize>(n << 2), a + b + (c + d));
  }
  return 0;
}
