// Minimum and maximum of 16x16 blocks, computed on first use and shared by the tiles of a frame. They determine which
// blocks can contain a reflection. The opening at a pixel cannot be below the minimum of everything within its two
// windows (24 pixels, that is two blocks). Only source > minimum + threshold can therefore exceed the threshold.
import { Search } from '../search/search';

const SIDE: i32 = 16;
const REACH: i32 = 2; // blocks

/** Packed range of one block: low | high << 8 | 1 << 16. At the right border it includes the columns before it. */
function measure(s: Search, bx: i32, by: i32): u32 {
  const x = max(0, min(bx * SIDE, s.width - SIDE)); // a narrower image includes its padding, which only costs time
  const end = min((by + 1) * SIDE, s.height);
  let row = s.source + <usize>(by * SIDE * s.stride + x);
  let low = v128.load(row);
  let high = low;
  for (let y = by * SIDE + 1; y < end; y++) {
    row += s.stride;
    const v = v128.load(row);
    low = i8x16.min_u(low, v);
    high = i8x16.max_u(high, v);
  }
  low = i8x16.min_u(low, i8x16.shuffle(low, low, 8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7));
  high = i8x16.max_u(high, i8x16.shuffle(high, high, 8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7));
  low = i8x16.min_u(low, i8x16.shuffle(low, low, 4, 5, 6, 7, 0, 1, 2, 3, 0, 1, 2, 3, 4, 5, 6, 7));
  high = i8x16.max_u(high, i8x16.shuffle(high, high, 4, 5, 6, 7, 0, 1, 2, 3, 0, 1, 2, 3, 4, 5, 6, 7));
  low = i8x16.min_u(low, i8x16.shuffle(low, low, 2, 3, 0, 1, 0, 1, 2, 3, 0, 1, 2, 3, 4, 5, 6, 7));
  high = i8x16.max_u(high, i8x16.shuffle(high, high, 2, 3, 0, 1, 0, 1, 2, 3, 0, 1, 2, 3, 4, 5, 6, 7));
  const l = min(<u32>i8x16.extract_lane_u(low, 0), <u32>i8x16.extract_lane_u(low, 1));
  const h = max(<u32>i8x16.extract_lane_u(high, 0), <u32>i8x16.extract_lane_u(high, 1));
  return l | (h << 8) | (1 << 16);
}

function range(s: Search, bx: i32, by: i32): u32 {
  const at = s.blocks + <usize>((by * s.blocksAcross + bx) << 2);
  let v = load<u32>(at);
  if (!v) {
    v = measure(s, bx, by);
    store<u32>(at, v);
  }
  return v;
}

/**
 * Bounding box, in blocks, of the blocks in [left, right] x [top, bottom] that may contain a reflection. The result is
 * left | top << 8 | right << 16 | bottom << 24 relative to the first block. -1: none.
 */
export function reflectionBox(s: Search, left: i32, top: i32, right: i32, bottom: i32): i32 {
  const lastX = s.blocksAcross - 1;
  const lastY = (s.height - 1) / SIDE;
  const x0 = max(0, left - REACH);
  const y0 = max(0, top - REACH);
  const x1 = min(lastX, right + REACH);
  const y1 = min(lastY, bottom + REACH);
  let darkest: u32 = 255;
  let brightest: u32 = 0;
  for (let by = y0; by <= y1; by++)
    for (let bx = x0; bx <= x1; bx++) {
      const v = range(s, bx, by);
      darkest = min(darkest, v & 255);
      if (bx >= left && bx <= right && by >= top && by <= bottom) brightest = max(brightest, (v >> 8) & 255);
    }
  const threshold = <u32>s.reflectionThreshold;
  if (brightest <= darkest + threshold) return -1;
  let boxLeft = 255;
  let boxTop = 255;
  let boxRight = -1;
  let boxBottom = -1;
  for (let by = top; by <= bottom; by++)
    for (let bx = left; bx <= right; bx++) {
      const high = (range(s, bx, by) >> 8) & 255;
      if (high <= darkest + threshold) continue;
      let low: u32 = 255;
      for (let y = max(y0, by - REACH); y <= min(y1, by + REACH); y++)
        for (let x = max(x0, bx - REACH); x <= min(x1, bx + REACH); x++)
          low = min(low, load<u32>(s.blocks + <usize>((y * s.blocksAcross + x) << 2)) & 255);
      if (high <= low + threshold) continue;
      boxLeft = min(boxLeft, bx - left);
      boxTop = min(boxTop, by - top);
      boxRight = max(boxRight, bx - left);
      boxBottom = max(boxBottom, by - top);
    }
  return boxRight < 0 ? -1 : boxLeft | (boxTop << 8) | (boxRight << 16) | (boxBottom << 24);
}
