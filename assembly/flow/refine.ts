// Refinement of a dense flow. The robust data term is computed for each pixel separately, and the smoothness decreases
// at steps of the flow and at edges of the image:
//
//   sum psi(I - J(x + u)) + sum_{neighbors} w |u_i - u_j|^2,   psi(d) = sqrt(d^2 + e^2),
//
// linearized at the current flow, with weights from the previous round (Brox, Bruhn, Papenberg, Weickert 2004), solved
// by red-black over-relaxation. A 5x5 median after each round removes the remaining outliers (Sun, Roth, Black 2010).
//
// The planes have four padding columns at both ends that stay finite. Addresses refer to the first sample.

import { Register } from '../runtime/wasm/registers';
import { Warp } from './dense-warp';

/** The planes and constants of one level. All planes except the frames have one stride. */
@unmanaged
export class RefinedLevel {
  previous: usize;
  next: usize;
  frameStride: i32;
  u: usize;
  v: usize;
  /** Mean of the frame and the warped next one. */
  mean: usize;
  /** Their difference, then the right-hand side. */
  bx: usize;
  by: usize;
  /** Weights of the smoothness to the right and the lower neighbor. */
  wx: usize;
  wy: usize;
  /** The inverse of each sample's matrix. */
  cu: usize;
  cv: usize;
  cuv: usize;
  stride: i32;
  width: i32;
  height: i32;
  smoothness: f32;
  /** Steps of the flow above this value count linearly. */
  flat: f32;
  /** A step of this many gray levels halves the smoothness across it. */
  edge: f32;
  /** Differences above this value count linearly. */
  robust: f32;
  /** Over-relaxation. */
  omega: f32;
}

/** Every second sample of a flow component, halved: one pyramid level up. Rows y0..y1-1 of `width` samples. */
export function flowHalve(
  source: usize,
  sourceStride: i32,
  target: usize,
  targetStride: i32,
  width: i32,
  height: i32,
  y0: i32,
  y1: i32,
  scratch: usize,
): i32 {
  for (let y = y0; y < y1; y++) {
    const from = source + <usize>(2 * y * sourceStride);
    const out = target + <usize>(y * targetStride);
    for (let x = 0; x < width; x++) store<f32>(out + ((<usize>x) << 2), <f32>0.5 * load<f32>(from + ((<usize>x) << 3)));
  }
  return 0;
}

/**
 * The mean of I and J(x + u), whose derivatives are used in the data term, and I - J(x + u). The difference is 1e30 if
 * x + u is outside, so that its weight becomes 0.
 */
export function flowRefineWarp(level: usize, y0: i32, y1: i32, scratch: usize): i32 {
  const record = changetype<RefinedLevel>(level);
  const previous = record.previous;
  const next = record.next;
  const frameStride = record.frameStride;
  const u = record.u;
  const v = record.v;
  const stride = record.stride;
  const mean = record.mean;
  const difference = record.bx;
  const width = record.width;
  const height = record.height;
  const lastX = Register.vector(f32x4.splat(<f32>(width - 1)), scratch);
  const lastY = Register.vector(f32x4.splat(<f32>(height - 1)), scratch);
  const cornerX = Register.vector(i32x4.splat(max(0, width - 2)), scratch);
  const cornerY = Register.vector(i32x4.splat(max(0, height - 2)), scratch);
  const frameStrides = Register.vector(i32x4.splat(frameStride), scratch);
  const none = Register.vector(f32x4.splat(1e30), scratch);
  const half = Register.vector(f32x4.splat(0.5), scratch);
  const step = <usize>(height > 1 ? frameStride : 0);
  for (let y = y0; y < y1; y++) {
    const row = <usize>(y * stride);
    const from = previous + <usize>(y * frameStride);
    const rowY = f32x4.splat(<f32>y);
    let column = f32x4(0, 1, 2, 3);
    for (let x: usize = 0; x < <usize>width; x += 4) {
      const at = row + (x << 2);
      const placeX = f32x4.add(column, v128.load(u + at));
      const placeY = f32x4.add(rowY, v128.load(v + at));
      column = f32x4.add(column, f32x4.splat(4));
      const px = Warp.clamped(placeX, lastX);
      const py = Warp.clamped(placeY, lastY);
      const ix = i32x4.min_s(i32x4.trunc_sat_f32x4_s(px), cornerX);
      const iy = i32x4.min_s(i32x4.trunc_sat_f32x4_s(py), cornerY);
      const fx = f32x4.sub(px, f32x4.convert_i32x4_s(ix));
      const fy = f32x4.sub(py, f32x4.convert_i32x4_s(iy));
      const moved = Warp.sample(next, frameStrides, step, ix, iy, fx, fy);
      const bytes = v128.load32_zero(from + x);
      const gray = f32x4.convert_i32x4_s(i32x4.extend_low_i16x8_u(i16x8.extend_low_i8x16_u(bytes)));
      const inside = Warp.inside(placeX, placeY, lastX, lastY);
      v128.store(mean + at, f32x4.mul(f32x4.add(gray, moved), half));
      v128.store(difference + at, v128.bitselect(f32x4.sub(gray, moved), none, inside));
    }
  }
  return 0;
}

/** Lanes x + 0..3 that are below `width`. */
function within(x: i32, width: i32): v128 {
  return i32x4.lt_s(i32x4.add(i32x4.splat(x), i32x4(0, 1, 2, 3)), i32x4.splat(width));
}

/**
 * Weights of the smoothness between a sample and its right (wx) and lower (wy) neighbor, 0 at the border:
 * smoothness / sqrt(|grad u|^2 + |grad v|^2 + flat^2) / (1 + (step of I / edge)^2).
 */
export function flowRefineWeights(level: usize, y0: i32, y1: i32, scratch: usize): i32 {
  const record = changetype<RefinedLevel>(level);
  const frame = record.previous;
  const frameStride = record.frameStride;
  const u = record.u;
  const v = record.v;
  const stride = record.stride;
  const wx = record.wx;
  const wy = record.wy;
  const width = record.width;
  const height = record.height;
  const smoothness = record.smoothness;
  const flat = record.flat;
  const edge = record.edge;
  const alpha = Register.vector(f32x4.splat(smoothness), scratch);
  const flat2 = Register.vector(f32x4.splat(flat * flat), scratch);
  const edge2 = Register.vector(f32x4.splat(<f32>1.0 / (edge * edge)), scratch);
  const one = Register.vector(f32x4.splat(1), scratch);
  for (let y = y0; y < y1; y++) {
    const row = <usize>(y * stride);
    const hasBelow = y + 1 < height;
    const down = hasBelow ? stride : 0;
    const gray = frame + <usize>(y * frameStride);
    const grayDown = gray + (hasBelow ? frameStride : 0);
    for (let x: usize = 0; x < <usize>width; x += 4) {
      const p = u + row + (x << 2);
      const q = v + row + (x << 2);
      const a = v128.load(p);
      const b = v128.load(q);
      const right = within(<i32>x + 1, width); // has a right neighbor
      const ux = v128.and(f32x4.sub(v128.load(p, 4), a), right);
      const uy = f32x4.sub(v128.load(p + down), a);
      const vx = v128.and(f32x4.sub(v128.load(q, 4), b), right);
      const vy = f32x4.sub(v128.load(q + down), b);
      const steps = f32x4.add(
        f32x4.add(f32x4.mul(ux, ux), f32x4.mul(uy, uy)),
        f32x4.add(f32x4.mul(vx, vx), f32x4.mul(vy, vy)),
      );
      const weight = f32x4.div(alpha, f32x4.sqrt(f32x4.add(steps, flat2)));
      const here = i16x8.extend_low_i8x16_u(v128.load64_zero(gray + x));
      const beside = i16x8.extend_low_i8x16_u(v128.load64_zero(gray + x + 1));
      const below = i16x8.extend_low_i8x16_u(v128.load32_zero(grayDown + x));
      const stepX = f32x4.convert_i32x4_s(i32x4.extend_low_i16x8_s(i16x8.sub(beside, here)));
      const stepY = f32x4.convert_i32x4_s(i32x4.extend_low_i16x8_s(i16x8.sub(below, here)));
      const edgeX = f32x4.add(one, f32x4.mul(f32x4.mul(stepX, stepX), edge2));
      const edgeY = f32x4.add(one, f32x4.mul(f32x4.mul(stepY, stepY), edge2));
      v128.store(wx + row + (x << 2), v128.and(f32x4.div(weight, edgeX), right));
      const real = hasBelow ? within(<i32>x, width) : f32x4.splat(0);
      v128.store(wy + row + (x << 2), v128.and(f32x4.div(weight, edgeY), real));
    }
  }
  return 0;
}

/**
 * The linear system of every sample, solved separately: with n the weighted sum of the neighbors' flow plus (bx, by), u
 * = cu nu - cuv nv, v = cv nv - cuv nu. The difference is replaced by bx.
 */
export function flowRefineSystem(level: usize, y0: i32, y1: i32, scratch: usize): i32 {
  const record = changetype<RefinedLevel>(level);
  const mean = record.mean;
  const difference = record.bx;
  const u = record.u;
  const v = record.v;
  const wx = record.wx;
  const wy = record.wy;
  const by = record.by;
  const cu = record.cu;
  const cv = record.cv;
  const cuv = record.cuv;
  const stride = record.stride;
  const width = record.width;
  const height = record.height;
  const robust = record.robust;
  const robust2 = Register.vector(f32x4.splat(robust * robust), scratch);
  const three = Register.vector(f32x4.splat(<f32>(3.0 / 32.0)), scratch);
  const ten = Register.vector(f32x4.splat(<f32>(10.0 / 32.0)), scratch);
  const one = Register.vector(f32x4.splat(1), scratch);
  for (let y = y0; y < y1; y++) {
    const row = <usize>(y * stride);
    const above = y > 0 ? row - stride : row;
    const below = y + 1 < height ? row + stride : row;
    const upper = y > 0 ? one : f32x4.splat(0);
    // Derivatives at the border use the sample itself instead of the one outside.
    const first = mean + row;
    const end = first + ((<usize>width) << 2);
    spread(mean + above, width);
    spread(first, width);
    spread(mean + below, width);
    for (let p = first; p < end; p += 16) {
      const at = p - mean;
      const a = mean + above + (at - row);
      const c = mean + below + (at - row);
      const left = f32x4.add(
        f32x4.mul(f32x4.add(v128.load(a - 4), v128.load(c - 4)), three),
        f32x4.mul(v128.load(p - 4), ten),
      );
      const right = f32x4.add(
        f32x4.mul(f32x4.add(v128.load(a, 4), v128.load(c, 4)), three),
        f32x4.mul(v128.load(p, 4), ten),
      );
      const top = f32x4.add(
        f32x4.mul(f32x4.add(v128.load(a - 4), v128.load(a, 4)), three),
        f32x4.mul(v128.load(a), ten),
      );
      const low = f32x4.add(
        f32x4.mul(f32x4.add(v128.load(c - 4), v128.load(c, 4)), three),
        f32x4.mul(v128.load(c), ten),
      );
      const gx = f32x4.sub(right, left);
      const gy = f32x4.sub(low, top);
      const d = v128.load(difference + at);
      const data = f32x4.div(one, f32x4.sqrt(f32x4.add(f32x4.mul(d, d), robust2)));
      const r = f32x4.add(d, f32x4.add(f32x4.mul(gx, v128.load(u + at)), f32x4.mul(gy, v128.load(v + at))));
      const weighted = f32x4.mul(data, r);
      const xx = f32x4.mul(data, f32x4.mul(gx, gx));
      const xy = f32x4.mul(data, f32x4.mul(gx, gy));
      const yy = f32x4.mul(data, f32x4.mul(gy, gy));
      const around = f32x4.add(
        f32x4.add(v128.load(wx + at), v128.load(wx + at - 4)),
        f32x4.add(v128.load(wy + at), f32x4.mul(v128.load(wy + above + (at - row)), upper)),
      );
      // (xx + w) (yy + w) - xy^2, as xx yy = xy^2.
      const determinant = f32x4.mul(around, f32x4.add(around, f32x4.add(xx, yy)));
      const real = within(<i32>((at - row) >> 2), width);
      const inverse = v128.and(f32x4.div(one, determinant), real);
      v128.store(difference + at, v128.and(f32x4.mul(gx, weighted), real));
      v128.store(by + at, v128.and(f32x4.mul(gy, weighted), real));
      v128.store(cu + at, v128.and(f32x4.mul(f32x4.add(yy, around), inverse), real));
      v128.store(cv + at, v128.and(f32x4.mul(f32x4.add(xx, around), inverse), real));
      v128.store(cuv + at, v128.and(f32x4.mul(xy, inverse), real));
    }
  }
  return 0;
}

/** Repeats the first and the last sample of a row once. (Other threads may do this at the same time.) */
function spread(row: usize, width: i32): void {
  store<f32>(row - 4, load<f32>(row));
  const end = row + ((<usize>width) << 2);
  store<f32>(end, load<f32>(end - 4));
}

/** One half of a relaxation, in place: the samples of one checkerboard color. */
export function flowRefineSweep(level: usize, color: i32, y0: i32, y1: i32, scratch: usize): i32 {
  const record = changetype<RefinedLevel>(level);
  const u = record.u;
  const v = record.v;
  const wx = record.wx;
  const wy = record.wy;
  const bx = record.bx;
  const by = record.by;
  const cu = record.cu;
  const cv = record.cv;
  const cuv = record.cuv;
  const stride = record.stride;
  const width = record.width;
  const height = record.height;
  const omega = record.omega;
  const relaxation = Register.vector(f32x4.splat(omega), scratch);
  for (let y = y0; y < y1; y++) {
    const chosen = Register.vector((y + color) & 1 ? i32x4(0, -1, 0, -1) : i32x4(-1, 0, -1, 0), scratch);
    const upper = Register.vector(f32x4.splat(y > 0 ? 1 : 0), scratch);
    const up = y > 0 ? -stride : 0;
    const down = y + 1 < height ? stride : 0;
    const row = <usize>(y * stride);
    for (let at = row, end = row + ((<usize>width) << 2); at < end; at += 16) {
      const p = u + at;
      const q = v + at;
      const east = v128.load(wx + at);
      const west = v128.load(wx + at - 4);
      const south = v128.load(wy + at);
      const north = f32x4.mul(v128.load(wy + at + up), upper);
      const nu = f32x4.add(
        f32x4.add(
          f32x4.add(f32x4.mul(east, v128.load(p, 4)), f32x4.mul(west, v128.load(p - 4))),
          f32x4.add(f32x4.mul(south, v128.load(p + down)), f32x4.mul(north, v128.load(p + up))),
        ),
        v128.load(bx + at),
      );
      const nv = f32x4.add(
        f32x4.add(
          f32x4.add(f32x4.mul(east, v128.load(q, 4)), f32x4.mul(west, v128.load(q - 4))),
          f32x4.add(f32x4.mul(south, v128.load(q + down)), f32x4.mul(north, v128.load(q + up))),
        ),
        v128.load(by + at),
      );
      const both = v128.load(cuv + at);
      const newU = f32x4.sub(f32x4.mul(v128.load(cu + at), nu), f32x4.mul(both, nv));
      const newV = f32x4.sub(f32x4.mul(v128.load(cv + at), nv), f32x4.mul(both, nu));
      const a = v128.load(p);
      const b = v128.load(q);
      v128.store(p, v128.bitselect(f32x4.add(a, f32x4.mul(relaxation, f32x4.sub(newU, a))), a, chosen));
      v128.store(q, v128.bitselect(f32x4.add(b, f32x4.mul(relaxation, f32x4.sub(newV, b))), b, chosen));
    }
  }
  return 0;
}
