// Second stage of the detector's cascade: an ensemble of random ferns (Kalal, Mikolajczyk, Matas 2012, section 5.3.2;
// Ozuysal et al. 2010). A fern compares 13 pairs of points of the blurred window; the outcomes, first comparison as the
// highest bit, number one of 8192 posteriors. A window's vote is the sum over the ferns.

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
} from './layout';

/** One fern's code at a window; `offsets` are those of its comparisons. */
function fernCode(window: usize, offsets: usize): i32 {
  let code = 0;
  for (let c = 0; c < COMPARISONS; c++, offsets += 8) {
    const a = load<u8>(window + <usize>load<i32>(offsets));
    const b = load<u8>(window + <usize>load<i32>(offsets, 4));
    code = (code << 1) | (<i32>(a > b));
  }
  return code;
}

/** Codes of `count` windows of one size: u32 positions (y * stride + x) -> 10 u16 each. */
export function fernCodes(image: usize, positions: usize, count: i32, offsets: usize, out: usize): i32 {
  for (let i = 0; i < count; i++) {
    const window = image + <usize>load<u32>(positions + <usize>(i << 2));
    for (let f = 0; f < FERNS; f++, out += 2)
      store<u16>(out, <u16>fernCode(window, offsets + <usize>(f * COMPARISONS * 8)));
  }
  return 0;
}

/**
 * Votes of the accepted windows of batches y0..y1-1. A posterior is at most 1: a window that cannot reach `least` any
 * more gets -1 and costs no further comparisons.
 */
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
      let fern = own;
      let table = posteriors;
      for (let f = 0; f < FERNS; f++) {
        sum += load<f32>(table + <usize>(fernCode(window, fern) << 2));
        if (sum + <f32>(FERNS - 1 - f) < least) {
          sum = -1;
          break;
        }
        fern += COMPARISONS * 8;
        table += CODES << 2;
      }
      store<f32>(votes + <usize>((first + k) << 2), sum);
    }
  }
  return 0;
}

/** Gathers what passed: u32 pair, u32 number within the pair, f32 vote; returns how many, at most `limit`. */
export function fernGather(
  pairs: usize,
  pairCount: i32,
  accepted: usize,
  counts: usize,
  votes: usize,
  least: f32,
  out: usize,
  limit: i32,
): i32 {
  let n = 0;
  for (let p = 0; p < pairCount; p++) {
    const first = load<i32>(pairs + <usize>(p * PAIR_BYTES) + PAIR_FIRST);
    const count = load<i32>(counts + <usize>(p << 2));
    for (let k = 0; k < count; k++) {
      const vote = load<f32>(votes + <usize>((first + k) << 2));
      if (vote < least) continue;
      if (n < limit) {
        store<u32>(out, <u32>p);
        store<u32>(out, <u32>load<u16>(accepted + <usize>((first + k) << 1)), 4);
        store<f32>(out, vote, 8);
        out += 12;
      }
      n++;
    }
  }
  return n;
}

/** xorshift32 */
function next(state: u32): u32 {
  state ^= state << 13;
  state ^= state >>> 17;
  return state ^ (state << 5);
}

/**
 * Codes of warped copies of boxes, without warping an image: the comparisons' points go through the warp and are read
 * from the blurred frame by bilinear interpolation, with noise of a normal distribution (sum of four uniform numbers).
 * boxes: 4 f32 (x, y, width, height); warps: 4 f32 (a, b, tx, ty), a point p relative to the box's centre goes to
 * (a x - b y + tx width, b x + a y + ty height); fractions: 4 f32 a comparison. out: 10 u16 for every warp of every box.
 */
export function fernWarped(
  image: usize,
  stride: i32,
  width: i32,
  height: i32,
  boxes: usize,
  boxCount: i32,
  warps: usize,
  warpCount: i32,
  fractions: usize,
  noise: f32,
  seed: u32,
  out: usize,
): i32 {
  let state = seed | 1;
  const right = <f32>(width - 1);
  const bottom = <f32>(height - 1);
  for (let w = 0; w < warpCount; w++, warps += 16) {
    const a = load<f32>(warps);
    const b = load<f32>(warps, 4);
    for (let i = 0; i < boxCount; i++) {
      const box = boxes + <usize>(i << 4);
      const bw = load<f32>(box, 8);
      const bh = load<f32>(box, 12);
      const halfWidth = (bw - 1) * 0.5;
      const halfHeight = (bh - 1) * 0.5;
      const cx = load<f32>(box) + halfWidth + load<f32>(warps, 8) * bw;
      const cy = load<f32>(box, 4) + halfHeight + load<f32>(warps, 12) * bh;
      let point = fractions;
      for (let f = 0; f < FERNS; f++, out += 2) {
        let code = 0;
        for (let c = 0; c < COMPARISONS; c++) {
          let first: f32 = 0;
          let difference: f32 = 0;
          for (let side = 0; side < 2; side++, point += 8) {
            const px = Mathf.floor(load<f32>(point) * bw) - halfWidth;
            const py = Mathf.floor(load<f32>(point, 4) * bh) - halfHeight;
            const x = max<f32>(0, min<f32>(right, cx + a * px - b * py));
            const y = max<f32>(0, min<f32>(bottom, cy + b * px + a * py));
            const ix = min(<i32>x, width - 2);
            const iy = min(<i32>y, height - 2);
            const fx = x - <f32>ix;
            const fy = y - <f32>iy;
            const at = image + <usize>(iy * stride + ix);
            const upper = <f32>load<u8>(at) + fx * <f32>(<i32>load<u8>(at, 1) - <i32>load<u8>(at));
            const low = at + stride;
            const lower = <f32>load<u8>(low) + fx * <f32>(<i32>load<u8>(low, 1) - <i32>load<u8>(low));
            const value = upper + fy * (lower - upper);
            if (side == 0) first = value;
            else difference = first - value;
          }
          // Two points, each with noise: four uniform numbers of 8 bits, variance 4 (65536 - 1) / 12.
          state = next(state);
          const four = <i32>((state & 255) + ((state >>> 8) & 255) + ((state >>> 16) & 255) + (state >>> 24));
          difference += noise * <f32>(four - 510) * 0.009568; // sqrt(2) / 147.8
          code = (code << 1) | (<i32>(difference > 0));
        }
        store<u16>(out, <u16>code);
      }
    }
  }
  return 0;
}
