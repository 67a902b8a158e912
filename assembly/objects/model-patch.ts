// Third stage of the detector's cascade: 15x15 patches, compared by normalized cross-correlation (Kalal, Mikolajczyk,
// Matas 2012, section 5.2). A patch is stored with zero mean and unit norm, 225 values in 240 f32, so that a
// correlation is a sum of products.

import { STORED_BYTES } from './model-correlations';
import { ObjectFrame } from './frame';

const SIDE: i32 = 15;
const CELLS: i32 = SIDE * SIDE;
/** Values of a stored patch: a multiple of 16, the rest 0. */
const STORED: i32 = 240;
/** Below this norm a patch counts as constant. Its correlation with any other patch is 0. */
const CONSTANT: f64 = 1e-6;

/** Zero mean, unit norm, padding 0; in place. */
function normalize(patch: usize): void {
  let mean: f64 = 0;
  for (let i = 0; i < CELLS; i++) mean += load<f32>(patch + <usize>(i << 2));
  mean /= <f64>CELLS;
  let norm: f64 = 0;
  for (let i = 0; i < CELLS; i++) {
    const v = <f64>load<f32>(patch + <usize>(i << 2)) - mean;
    norm += v * v;
  }
  const scale = norm > CONSTANT ? 1 / sqrt<f64>(norm) : 0;
  for (let i = 0; i < CELLS; i++) {
    const at = patch + <usize>(i << 2);
    store<f32>(at, <f32>((<f64>load<f32>(at) - mean) * scale));
  }
  for (let i = CELLS; i < STORED; i++) store<f32>(patch + <usize>(i << 2), 0);
}

/** Converts 225 gray values (u8) to a stored patch. */
export function patchFromGray(gray: usize, out: usize): i32 {
  for (let i = 0; i < CELLS; i++) store<f32>(out + <usize>(i << 2), <f32>load<u8>(gray + <usize>i));
  normalize(out);
  return 0;
}

/** Scratch bytes of patchOfBox. */
export const PATCH_SCRATCH: usize = 16 * 2 * 8;

/**
 * The stored patch of a box. Parts outside the frame are cut off. Each of the 15x15 cells is the mean of the area that
 * it covers, from the integral image, with linear interpolation between whole columns.
 */
export function patchOfBox(
  frame: ObjectFrame,
  left: f32,
  top: f32,
  width: f32,
  height: f32,
  out: usize,
  scratch: usize,
): void {
  const upper = scratch;
  const lower = scratch + 16 * 8;
  const x0 = max<f32>(0, left);
  const y0 = max<f32>(0, top);
  const x1 = min<f32>(<f32>frame.width, left + width);
  const y1 = min<f32>(<f32>frame.height, top + height);
  const stepX: f32 = (x1 - x0) / <f32>SIDE;
  const stepY: f32 = (y1 - y0) / <f32>SIDE;
  if (!(stepX > 0 && stepY > 0)) {
    memory.fill(out, 0, STORED_BYTES);
    return;
  }
  const sums = frame.sums;
  const stride = frame.sumStride;
  const base = load<u32>(sums + <usize>(<i32>y0 * stride + ((<i32>x0) << 2)));
  integralRow(sums, stride, frame.width, frame.height, base, x0, stepX, y0, upper);
  for (let j = 0; j < SIDE; j++) {
    const y = y0 + <f32>(j + 1) * stepY;
    integralRow(sums, stride, frame.width, frame.height, base, x0, stepX, y, lower);
    for (let i = 0; i < SIDE; i++) {
      const at = <usize>(i << 3);
      const sum = load<f64>(lower + at, 8) - load<f64>(lower + at) - load<f64>(upper + at, 8) + load<f64>(upper + at);
      store<f32>(out + <usize>((j * SIDE + i) << 2), <f32>(sum / (<f64>stepX * <f64>stepY)));
    }
    memory.copy(upper, lower, 16 * 8);
  }
  normalize(out);
}

/** The integral image, minus its value at the box's corner, at 16 positions of one row. */
function integralRow(
  sums: usize,
  stride: i32,
  width: i32,
  height: i32,
  base: u32,
  x0: f32,
  stepX: f32,
  y: f32,
  out: usize,
): void {
  const iy = min(<i32>y, height - 1);
  const fy = <f64>y - <f64>iy;
  const row = sums + <usize>(iy * stride);
  for (let i = 0; i <= SIDE; i++, out += 8) {
    const x = min<f32>(x0 + <f32>i * stepX, <f32>width);
    const ix = min(<i32>x, width - 1);
    const fx = <f64>x - <f64>ix;
    const at = row + <usize>(ix << 2);
    const a = <f64>(<i32>(load<u32>(at) - base));
    const b = <f64>(<i32>(load<u32>(at, 4) - base));
    const c = <f64>(<i32>(load<u32>(at + stride) - base));
    const d = <f64>(<i32>(load<u32>(at + stride, 4) - base));
    const top = a + fx * (b - a);
    store<f64>(out, top + fy * (c + fx * (d - c) - top));
  }
}
