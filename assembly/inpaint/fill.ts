// Copies the best match into the hole and updates the confidence (equation 3's region filling: C(q) = C(p) for the new
// pixels q of the patch around p).

import { Value } from '../runtime/value';
import { columns, left, rows, top } from './record';
import { patchConfidence } from './terms';

/** Entry of the list of origins for a pixel that was not filled. */
export const KNOWN: u32 = 0xffffffff;

/**
 * Which neighbours of (x, y) lie in the patch as well: left, right, above, below from bit 28 on. The bits below are the
 * pixel's source, x + y * width, in the list of origins.
 */
function neighbours(x: i32, y: i32, x0: i32, y0: i32, x1: i32, y1: i32): u32 {
  return (
    ((x > x0 ? 1 : 0) << 28) | ((x < x1 - 1 ? 1 : 0) << 29) | ((y > y0 ? 1 : 0) << 30) | ((y < y1 - 1 ? 1 : 0) << 31)
  );
}

/** Fills the record's patch from the one whose first pixel is (fromX, fromY); returns how many pixels were filled. */
export function inpaintFill(
  source: usize,
  image: usize,
  stride: i32,
  gray: usize,
  hole: usize,
  holeStride: i32,
  confidence: usize,
  confidenceStride: i32,
  origin: usize,
  boxX: i32,
  boxY: i32,
  boxWidth: i32,
  width: i32,
  fromX: i32,
  fromY: i32,
  record: usize,
): Value {
  const x0 = left(record);
  const y0 = top(record);
  const x1 = x0 + columns(record);
  const y1 = y0 + rows(record);
  const c = patchConfidence(confidence, confidenceStride, x0, y0, x1 - 1, y1 - 1);
  let filled = 0;
  for (let y = y0; y < y1; y++)
    for (let x = x0; x < x1; x++) {
      const at = <usize>(y * holeStride + x);
      if (!load<u8>(hole + at)) continue;
      const qx = fromX + x - x0;
      const qy = fromY + y - y0;
      const colour = load<u32>(source + <usize>(qy * stride + (qx << 2)));
      store<u32>(image + <usize>(y * stride + (x << 2)), colour);
      const red = colour & 0xff;
      const green = (colour >> 8) & 0xff;
      const blue = (colour >> 16) & 0xff;
      store<u8>(gray + at, <u8>((9798 * red + 19235 * green + 3735 * blue + 16384) >> 15));
      store<u8>(hole + at, 0);
      store<u32>(confidence + <usize>(y * confidenceStride + (x << 2)), c);
      const from = (<u32>(qy * width + qx)) | neighbours(x, y, x0, y0, x1, y1);
      store<u32>(origin + ((<usize>((y - boxY) * boxWidth + x - boxX)) << 2), from);
      filled++;
    }
  return filled;
}
