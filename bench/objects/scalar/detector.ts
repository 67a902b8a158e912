// Votes of the ferns and correlations of patches without SIMD and without short cuts.
import {
  CODES,
  COMPARISONS,
  FERNS,
  OFFSET_BYTES,
  PAIR_BYTES,
  PAIR_FIRST,
  PAIR_LEFTS,
  PAIR_SCALE,
  PAIR_Y,
} from '../../../assembly/objects/layout';

export function fernVotes(
  image: usize,
  stride: i32,
  pairs: usize,
  batches: usize,
  accepted: usize,
  counts: usize,
  offsets: usize,
  posteriors: usize,
  least: f32,
  votes: usize,
  y0: i32,
  y1: i32,
  scratch: usize,
): i32 {
  const end = load<i32>(batches + <usize>(y1 << 2));
  for (let p = load<i32>(batches + <usize>(y0 << 2)); p < end; p++) {
    const pair = pairs + <usize>(p * PAIR_BYTES);
    const row = image + <usize>(load<i32>(pair + PAIR_Y) * stride);
    const lefts = <usize>load<u32>(pair + PAIR_LEFTS);
    const first = load<i32>(pair + PAIR_FIRST);
    const own = offsets + <usize>(load<i32>(pair + PAIR_SCALE) * OFFSET_BYTES);
    const count = load<i32>(counts + <usize>(p << 2));
    for (let k = 0; k < count; k++) {
      const i = <usize>load<u16>(accepted + <usize>((first + k) << 1));
      const window = row + <usize>load<i32>(lefts + (i << 2));
      let sum: f32 = 0;
      let point = own;
      for (let f = 0; f < FERNS; f++) {
        let code = 0;
        for (let c = 0; c < COMPARISONS; c++, point += 8) {
          const a = load<u8>(window + <usize>load<i32>(point));
          const b = load<u8>(window + <usize>load<i32>(point, 4));
          code = (code << 1) | (<i32>(a > b));
        }
        sum += load<f32>(posteriors + <usize>((f * CODES + code) << 2));
      }
      store<f32>(votes + <usize>((first + k) << 2), sum);
    }
  }
  return 0;
}

/** One of the 16 running sums of assembly/objects/patches.ts, so that the bits are the same. */
function partial(patch: usize, model: usize, lane: usize): f32 {
  let sum: f32 = 0;
  for (let i: usize = lane << 2; i < 960; i += 64) sum += load<f32>(patch + i) * load<f32>(model + i);
  return sum;
}

export function patchCorrelations(patch: usize, model: usize, count: i32, out: usize): i32 {
  for (let n = 0; n < count; n++, model += 960) {
    const a =
      partial(patch, model, 0) + partial(patch, model, 4) + (partial(patch, model, 8) + partial(patch, model, 12));
    const b =
      partial(patch, model, 1) + partial(patch, model, 5) + (partial(patch, model, 9) + partial(patch, model, 13));
    const c =
      partial(patch, model, 2) + partial(patch, model, 6) + (partial(patch, model, 10) + partial(patch, model, 14));
    const d =
      partial(patch, model, 3) + partial(patch, model, 7) + (partial(patch, model, 11) + partial(patch, model, 15));
    store<f32>(out + <usize>(n << 2), a + b + (c + d));
  }
  return 0;
}
