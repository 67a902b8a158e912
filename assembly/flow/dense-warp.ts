// Samples of the next frame at the positions from the flow, bilinear.

/** Constants of one frame and row band. They are static members of a class so that they stay in registers. */
export class Warp {
  /** Positions in the next frame, clamped to its samples, so that their addresses exist. */
  static clamped(place: v128, last: v128): v128 {
    return f32x4.min(f32x4.max(place, f32x4.splat(0)), last);
  }

  /** Lanes with a position inside the frame. */
  static inside(x: v128, y: v128, lastX: v128, lastY: v128): v128 {
    const zero = f32x4.splat(0);
    return v128.and(v128.and(f32x4.ge(x, zero), f32x4.le(x, lastX)), v128.and(f32x4.ge(y, zero), f32x4.le(y, lastY)));
  }

  /**
   * Four gray levels. `ix`, `iy`: the upper left sample. `fx`, `fy`: the fraction, 0 to 1. `step`: bytes to the row
   * below, 0 in a frame of one row.
   */
  static sample(frame: usize, stride: v128, step: usize, ix: v128, iy: v128, fx: v128, fy: v128): v128 {
    const at = i32x4.add(i32x4.mul(iy, stride), ix);
    const a = frame + <usize>i32x4.extract_lane(at, 0);
    const b = frame + <usize>i32x4.extract_lane(at, 1);
    const c = frame + <usize>i32x4.extract_lane(at, 2);
    const d = frame + <usize>i32x4.extract_lane(at, 3);
    let four = i32x4.splat((<i32>load<u16>(a)) | ((<i32>load<u16>(a + step)) << 16));
    four = i32x4.replace_lane(four, 1, (<i32>load<u16>(b)) | ((<i32>load<u16>(b + step)) << 16));
    four = i32x4.replace_lane(four, 2, (<i32>load<u16>(c)) | ((<i32>load<u16>(c + step)) << 16));
    four = i32x4.replace_lane(four, 3, (<i32>load<u16>(d)) | ((<i32>load<u16>(d + step)) << 16));
    const byte = i32x4.splat(255);
    const p = f32x4.convert_i32x4_s(v128.and(four, byte));
    const q = f32x4.convert_i32x4_s(v128.and(i32x4.shr_u(four, 8), byte));
    const r = f32x4.convert_i32x4_s(v128.and(i32x4.shr_u(four, 16), byte));
    const s = f32x4.convert_i32x4_s(i32x4.shr_u(four, 24));
    const top = f32x4.add(p, f32x4.mul(fx, f32x4.sub(q, p)));
    const low = f32x4.add(r, f32x4.mul(fx, f32x4.sub(s, r)));
    return f32x4.add(top, f32x4.mul(fy, f32x4.sub(low, top)));
  }
}
