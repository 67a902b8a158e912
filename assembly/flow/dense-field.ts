// Operations on a flow field: expansion to the next finer level, confidence, forward-backward check.

import { FlowLevel } from './dense';

/** Rows y0..y1-1 of a flow component at twice the size: twice the value, bilinear between the coarse pixels. */
export function flowExpand(
  source: usize,
  sourceStride: i32,
  target: usize,
  targetStride: i32,
  sourceWidth: i32,
  sourceHeight: i32,
  width: i32,
  height: i32,
  y0: i32,
  y1: i32,
  scratch: usize,
): i32 {
  for (let y = y0; y < y1; y++) {
    const above = source + <usize>(min(y >> 1, sourceHeight - 1) * sourceStride);
    const below = source + <usize>(min((y + 1) >> 1, sourceHeight - 1) * sourceStride);
    const out = target + <usize>(y * targetStride);
    let left = load<f32>(above) + load<f32>(below);
    for (let x = 0; x < width; x += 2) {
      const right = (<usize>min((x >> 1) + 1, sourceWidth - 1)) << 2;
      const next = load<f32>(above + right) + load<f32>(below + right);
      store<f32>(out + (x << 2), left);
      if (x + 1 < width) store<f32>(out + (x << 2), <f32>0.5 * (left + next), 4);
      left = next;
    }
  }
  return 0;
}

/**
 * Confidence and validity of a finished level. `by` contains the mean squared difference of the windows, and afterwards
 * the confidence. confidence = eigenvalue / (eigenvalue + residual): one half if the residual would explain a
 * displacement of one pixel. `valid` bytes: solvable (the inverse is not 0) or `everywhere`, and still within the
 * frame. With `found` they stay unchanged.
 */
export function flowConfidence(
  level: usize,
  valid: usize,
  validStride: i32,
  everywhere: i32,
  found: i32,
  y0: i32,
  y1: i32,
  scratch: usize,
): i32 {
  const record = changetype<FlowLevel>(level);
  const eigenvalue = record.eigenvalue;
  const residual = record.by;
  const inverse = record.xx;
  const u = record.u;
  const v = record.v;
  const stride = record.stride;
  const width = record.width;
  const height = record.height;
  for (let y = y0; y < y1; y++)
    for (let x = 0; x < width; x++) {
      const at = <usize>(y * stride) + ((<usize>x) << 2);
      const smaller = load<f32>(eigenvalue + at);
      const solvable = everywhere || load<f32>(inverse + at) != 0;
      const placeX = <f32>x + load<f32>(u + at);
      const placeY = <f32>y + load<f32>(v + at);
      const inside = placeX >= 0 && placeX <= <f32>(width - 1) && placeY >= 0 && placeY <= <f32>(height - 1);
      const flag = valid + <usize>(y * validStride + x);
      const good = found ? load<u8>(flag) != 0 : solvable && inside;
      store<u8>(flag, good ? 1 : 0);
      store<f32>(residual + at, good && smaller > 0 ? smaller / (smaller + load<f32>(residual + at)) : 0);
    }
  return 0;
}

/**
 * Distance in pixels between a pixel and its position after the forward flow and then the backward flow from there.
 * Infinite if it leaves the frame.
 */
export function flowForwardBackward(
  u: usize,
  v: usize,
  backU: usize,
  backV: usize,
  stride: i32,
  out: usize,
  width: i32,
  height: i32,
  y0: i32,
  y1: i32,
  scratch: usize,
): i32 {
  for (let y = y0; y < y1; y++)
    for (let x = 0; x < width; x++) {
      const at = <usize>(y * stride) + ((<usize>x) << 2);
      const du = load<f32>(u + at);
      const dv = load<f32>(v + at);
      const placeX = <f32>x + du;
      const placeY = <f32>y + dv;
      let distance: f32 = Infinity;
      if (placeX >= 0 && placeX <= <f32>(width - 1) && placeY >= 0 && placeY <= <f32>(height - 1)) {
        const ix = min(<i32>placeX, max(0, width - 2));
        const iy = min(<i32>placeY, max(0, height - 2));
        const fx = placeX - <f32>ix;
        const fy = placeY - <f32>iy;
        const corner = <usize>(iy * stride) + ((<usize>ix) << 2);
        const right: usize = width > 1 ? 4 : 0;
        const below = <usize>(height > 1 ? stride : 0);
        const sumX = du + between(backU + corner, right, below, fx, fy);
        const sumY = dv + between(backV + corner, right, below, fx, fy);
        distance = sqrt<f32>(sumX * sumX + sumY * sumY);
      }
      store<f32>(out + at, distance);
    }
  return 0;
}

function between(p: usize, right: usize, below: usize, fx: f32, fy: f32): f32 {
  const top = load<f32>(p) + fx * (load<f32>(p + right) - load<f32>(p));
  const q = p + below;
  const low = load<f32>(q) + fx * (load<f32>(q + right) - load<f32>(q));
  return top + fy * (low - top);
}
