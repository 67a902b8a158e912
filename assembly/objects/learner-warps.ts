// Codes of warped copies of windows, without warping an image. The points of the comparisons are transformed by the
// warp and read from the blurred frame by bilinear interpolation, with normally distributed noise (sum of four uniform
// numbers).
import { ObjectFrame } from './frame';
import { COMPARISONS, FERNS } from './windows';
import { nextRandom } from './random';
import { Candidate } from './detector-search';

/** Maps a point p relative to the window's center to (a x - b y + tx width, b x + a y + ty height). */
@unmanaged
export class Warp {
  a: f32;
  b: f32;
  tx: f32;
  ty: f32;
}

/**
 * 10 codes, u16 each, of one window with one warp. fractions: 4 f32 per comparison. `state`: of the random numbers for
 * the noise. Returns the next state.
 */
export function warpedCodes(
  frame: ObjectFrame,
  window: Candidate,
  warp: Warp,
  fractions: usize,
  noise: f32,
  state: u32,
  codes: usize,
): u32 {
  const width = frame.width;
  const height = frame.height;
  const right = <f32>(width - 1);
  const bottom = <f32>(height - 1);
  const a = warp.a;
  const b = warp.b;
  const bw = window.width;
  const bh = window.height;
  const halfWidth = (bw - 1) * 0.5;
  const halfHeight = (bh - 1) * 0.5;
  const cx = window.x + halfWidth + warp.tx * bw;
  const cy = window.y + halfHeight + warp.ty * bh;
  let point = fractions;
  for (let f = 0; f < FERNS; f++, codes += 2) {
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
        const at = frame.blurred + <usize>(iy * frame.blurredStride + ix);
        const upper = <f32>load<u8>(at) + fx * <f32>(<i32>load<u8>(at, 1) - <i32>load<u8>(at));
        const low = at + frame.blurredStride;
        const lower = <f32>load<u8>(low) + fx * <f32>(<i32>load<u8>(low, 1) - <i32>load<u8>(low));
        const value = upper + fy * (lower - upper);
        if (side == 0) first = value;
        else difference = first - value;
      }
      // Two points, each with noise: four uniform numbers of 8 bits, variance 4 (65536 - 1) / 12.
      state = nextRandom(state);
      const four = <i32>((state & 255) + ((state >>> 8) & 255) + ((state >>> 16) & 255) + (state >>> 24));
      difference += noise * <f32>(four - 510) * 0.009568; // sqrt(2) / 147.8
      code = (code << 1) | (<i32>(difference > 0));
    }
    store<u16>(codes, <u16>code);
  }
  return state;
}

/** Sine of an angle of at most a quarter of a radian: the significant terms in double precision. */
export function smallSine(x: f64): f64 {
  const q = x * x;
  return x * (1 - (q / 6) * (1 - (q / 20) * (1 - (q / 42) * (1 - (q / 72) * (1 - q / 110)))));
}

export function smallCosine(x: f64): f64 {
  const q = x * x;
  return 1 - (q / 2) * (1 - (q / 12) * (1 - (q / 30) * (1 - (q / 56) * (1 - (q / 90) * (1 - q / 132)))));
}
