// Which pixel of the front is filled next: the largest priority, ties first in raster order; where all priorities are
// 0, the largest confidence. One 64-bit key a pixel of the hole's box says both: confidence * data + 2^32, or the
// confidence alone. Keys change only around a new patch; beside each row stands its largest, so that the choice looks
// at rows only.

import { Value } from '../runtime/value';
import { terms } from './terms';

/** Bytes of a row's entry: the key (u64), the first x that has it (i32). */
const ROW: usize = 16;

/** Keys of the columns x0..x1-1 in the rows y0..y1-1 of the box, and these rows' largest. Scratch: 16 bytes. */
export function inpaintKeys(
  gray: usize,
  hole: usize,
  stride: i32,
  confidence: usize,
  confidenceStride: i32,
  width: i32,
  height: i32,
  half: i32,
  inverse: usize,
  keys: usize,
  largest: usize,
  boxX: i32,
  boxY: i32,
  boxWidth: i32,
  x0: i32,
  x1: i32,
  y0: i32,
  y1: i32,
  scratch: usize,
): i32 {
  for (let y = y0; y < y1; y++) {
    const row = keys + ((<usize>((y - boxY) * boxWidth)) << 3);
    for (let x = x0; x < x1; x++) {
      const out = scratch;
      terms(gray, hole, stride, confidence, confidenceStride, width, height, half, inverse, x, y, out, scratch + 8);
      const c = <u64>load<u32>(out);
      const priority = c * <u64>load<u32>(out, 4);
      store<u64>(row + ((<usize>(x - boxX)) << 3), priority ? priority + 0x100000000 : c);
    }
    let key: u64 = 0;
    let at = 0;
    for (let x = 0; x < boxWidth; x++) {
      const k = load<u64>(row + ((<usize>x) << 3));
      if (k > key) {
        key = k;
        at = x;
      }
    }
    const entry = largest + <usize>(y - boxY) * ROW;
    store<u64>(entry, key);
    store<i32>(entry, at + boxX, 8);
  }
  return 0;
}

/** The next centre as x + y * width; -1 when there is no front. */
export function inpaintNext(largest: usize, boxY: i32, boxHeight: i32, width: i32): Value {
  let key: u64 = 0;
  let next = -1;
  for (let y = 0; y < boxHeight; y++) {
    const entry = largest + <usize>y * ROW;
    if (load<u64>(entry) <= key) continue;
    key = load<u64>(entry);
    next = load<i32>(entry, 8) + (y + boxY) * width;
  }
  return next;
}
