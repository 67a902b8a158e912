// Sparse pyramidal Lucas-Kanade (Bouguet, Pyramidal Implementation of the Lucas Kanade Feature Tracker, 2000) with the
// fixed-point format, borders and rules of OpenCV's calcOpticalFlowPyrLK, derived from its behavior.
//
// Only samples covered by a window are computed: derivatives come from the window's samples. A window inside the image
// reads the frame directly. A window across the border is first copied with reflection. About 2 us per point and level
// for the template, 0.2 us per iteration at 21x21.

import {
  clearOutside,
  copyMirrored,
  makeTemplate,
  mismatch,
  residual,
  scharr,
  WEIGHT_BITS,
} from './track-points-window';

/** One level of a pyramid. A table contains consecutive levels, the largest image first. */
@unmanaged
export class PyramidLevel {
  address: usize;
  stride: i32;
  width: i32;
  height: i32;
}
const LEVEL: usize = offsetof<PyramidLevel>();

/** Inputs of point tracking. */
@unmanaged
export class PointTracking {
  /** Tables of levels. */
  previous: usize;
  next: usize;
  levels: i32;
  /** x, y of each as 32-bit floats. Then the start of the search (0: at the points), and the result. */
  points: usize;
  initial: usize;
  out: usize;
  /** Bytes: 1 if found. */
  status: usize;
  /** 32-bit floats: mean |difference| of the windows. */
  error: usize;
  /** Odd. */
  window: i32;
  iterations: i32;
  epsilon: f32;
  /** If the smaller eigenvalue at a level is below this, the start is not changed. */
  minEigenvalue: f32;
}

/** OpenCV's unit of the structure tensor. */
const TENSOR: f64 = 1.0 / <f64>(1 << 20);

/** Scratch before the windows: sums and the values kept in registers. */
const HEAD: usize = 128;

/** The two weights of a row as 16-bit halves, rounded so that all four sum to 1 << WEIGHT_BITS. */
function topWeights(a: f32, b: f32): i32 {
  const left = <i32>nearest<f32>((1.0 - a) * (1.0 - b) * <f32>(1 << WEIGHT_BITS));
  const right = <i32>nearest<f32>(a * (1.0 - b) * <f32>(1 << WEIGHT_BITS));
  return left | (right << 16);
}

function bottomWeights(a: f32, b: f32, top: i32): i32 {
  const left = <i32>nearest<f32>((1.0 - a) * b * <f32>(1 << WEIGHT_BITS));
  const right = (1 << WEIGHT_BITS) - (top & 0xffff) - (top >>> 16) - left;
  return left | (right << 16);
}

/** Whether a window at (x, y) is too far outside, or NaN, so that it is not tracked. */
function outOfReach(x: f32, y: f32, window: i32, width: i32, height: i32): bool {
  return !(x >= <f32>-window && x < <f32>width && y >= <f32>-window && y < <f32>height);
}

function isInside(x: i32, y: i32, columns: i32, rows: i32, width: i32, height: i32): bool {
  return x >= 0 && y >= 0 && x + columns <= width && y + rows <= height;
}

export function trackPointsScratch(tracking: usize): i32 {
  const window = changetype<PointTracking>(tracking).window;
  const columns = (window + 8) & ~7;
  const patch = (window + 3) * ((window + 35) & ~15);
  const gradient = (window + 1) * (2 * columns + 32);
  const template = 48 * (columns >> 3) * window;
  return <i32>HEAD + patch + 2 * gradient + template + 4 * 64;
}

/** Points y0..y1-1 of a PointTracking. */
export function trackPoints(tracking: usize, y0: i32, y1: i32, scratch: usize): i32 {
  const record = changetype<PointTracking>(tracking);
  const previous = record.previous;
  const next = record.next;
  const levels = record.levels;
  const points = record.points;
  const initial = record.initial;
  const out = record.out;
  const status = record.status;
  const error = record.error;
  const window = record.window;
  const iterations = record.iterations;
  const epsilon = record.epsilon;
  const minEigenvalue = record.minEigenvalue;
  const half = <f32>(window >> 1);
  const columns = (window + 8) & ~7;
  const sums = scratch;
  const patchStride = (window + 35) & ~15;
  const patch = scratch + HEAD;
  const gradientStride = (columns << 1) + 32;
  const dx = patch + <usize>((window + 3) * patchStride) + 64;
  const dy = dx + <usize>((window + 1) * gradientStride) + 64;
  const template = dy + <usize>((window + 1) * gradientStride) + 64;
  const samples = window * window;
  for (let i = y0; i < y1; i++) {
    const at = (<usize>i) << 3;
    const pointX = load<f32>(points + at);
    const pointY = load<f32>(points + at, 4);
    const coarsest: f32 = <f32>1.0 / <f32>(1 << (levels - 1));
    let resultX = (initial ? load<f32>(initial + at) : pointX) * coarsest;
    let resultY = (initial ? load<f32>(initial + at, 4) : pointY) * coarsest;
    let found = true;
    let mean: f32 = 0;
    for (let level = levels - 1; level >= 0; level--) {
      const from = changetype<PyramidLevel>(previous + <usize>level * LEVEL);
      const width = from.width;
      const height = from.height;
      if (level < levels - 1) {
        resultX *= 2.0;
        resultY *= 2.0;
      }
      const scale: f32 = <f32>1.0 / <f32>(1 << level);
      const x = pointX * scale - half;
      const y = pointY * scale - half;
      const floorX = floor<f32>(x);
      const floorY = floor<f32>(y);
      if (outOfReach(floorX, floorY, window, width, height)) {
        found = found && level > 0;
        continue;
      }
      const ix = <i32>floorX;
      const iy = <i32>floorY;
      let weights = topWeights(x - floorX, y - floorY);
      let stride = from.stride;
      let p = from.address;
      const inside = isInside(ix - 1, iy - 1, window + 3, window + 3, width, height);
      if (inside) p += <usize>((iy - 1) * stride + ix - 1);
      else {
        copyMirrored(p, stride, width, height, ix - 1, iy - 1, window + 3, window + 3, patch, patchStride);
        p = patch;
        stride = patchStride;
      }
      scharr(p, stride, window + 1, dx, dy, gradientStride, sums);
      if (!inside) clearOutside(dx, dy, gradientStride, window + 1, ix, iy, width, height);
      const below = bottomWeights(x - floorX, y - floorY, weights);
      makeTemplate(p + stride + 1, stride, dx, dy, gradientStride, window, weights, below, template, sums);
      const xx = <f64>load<i64>(sums) * TENSOR;
      const xy = <f64>load<i64>(sums, 8) * TENSOR;
      const yy = <f64>load<i64>(sums, 16) * TENSOR;
      const determinant = xx * yy - xy * xy;
      const smaller = (xx + yy - sqrt((xx - yy) * (xx - yy) + 4.0 * xy * xy)) / <f64>(2 * samples);
      if (<f32>smaller < minEigenvalue || <f32>determinant < f32.EPSILON) {
        found = found && level > 0;
        continue;
      }

      const to = changetype<PyramidLevel>(next + <usize>level * LEVEL);
      const frame = to.address;
      const frameStride = to.stride;
      let nextX = resultX - half;
      let nextY = resultY - half;
      let lastX: f32 = 0;
      let lastY: f32 = 0;
      for (let k = 0; k < iterations; k++) {
        const fx = floor<f32>(nextX);
        const fy = floor<f32>(nextY);
        if (outOfReach(fx, fy, window, width, height)) {
          found = found && level > 0;
          break;
        }
        const jx = <i32>fx;
        const jy = <i32>fy;
        let q = frame + <usize>(jy * frameStride + jx);
        stride = frameStride;
        if (!isInside(jx, jy, window + 1, window + 1, width, height)) {
          copyMirrored(frame, stride, width, height, jx, jy, window + 1, window + 1, patch, patchStride);
          q = patch;
          stride = patchStride;
        }
        weights = topWeights(nextX - fx, nextY - fy);
        mismatch(q, stride, window, weights, bottomWeights(nextX - fx, nextY - fy, weights), template, sums);
        const bx = <f64>load<i64>(sums) * TENSOR;
        const by = <f64>load<i64>(sums, 8) * TENSOR;
        const stepX = <f32>((xy * by - yy * bx) / determinant);
        const stepY = <f32>((xy * bx - xx * by) / determinant);
        nextX += stepX;
        nextY += stepY;
        resultX = nextX + half;
        resultY = nextY + half;
        if (stepX * stepX + stepY * stepY <= epsilon * epsilon) break;
        // Oscillates between two positions: the midpoint is the better answer.
        if (k > 0 && abs(stepX + lastX) < 0.01 && abs(stepY + lastY) < 0.01) {
          resultX -= stepX * 0.5;
          resultY -= stepY * 0.5;
          break;
        }
        lastX = stepX;
        lastY = stepY;
      }
      if (level == 0 && found) {
        nextX = resultX - half;
        nextY = resultY - half;
        const fx = floor<f32>(nextX);
        const fy = floor<f32>(nextY);
        if (outOfReach(fx, fy, window, width, height)) found = false;
        else {
          const jx = <i32>fx;
          const jy = <i32>fy;
          let q = frame + <usize>(jy * frameStride + jx);
          stride = frameStride;
          if (!isInside(jx, jy, window + 1, window + 1, width, height)) {
            copyMirrored(frame, stride, width, height, jx, jy, window + 1, window + 1, patch, patchStride);
            q = patch;
            stride = patchStride;
          }
          weights = topWeights(nextX - fx, nextY - fy);
          const lower = bottomWeights(nextX - fx, nextY - fy, weights);
          mean = <f32>residual(q, stride, window, weights, lower, template) / <f32>(samples << 5);
        }
      }
    }
    store<f32>(out + at, resultX);
    store<f32>(out + at, resultY, 4);
    store<u8>(status + <usize>i, found ? 1 : 0);
    store<f32>(error + ((<usize>i) << 2), mean);
  }
  return 0;
}
