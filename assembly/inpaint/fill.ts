// Copies the best match into the hole and updates the confidence (equation 3's region filling: C(q) = C(p) for the new
// pixels q of the patch around p).

import { Value } from '../runtime/wasm/value';
import { choose, updateKeys } from './fill-priority';
import { Filling } from './picture-record';
import { patchConfidence } from './terms';

/** Entry of the list of origins for a pixel that was not filled. */
export const KNOWN: u32 = 0xffffffff;

/**
 * Neighbors of (x, y) that are also in the patch: left, right, above, below starting at bit 28. In the list of origins
 * the lower bits are the pixel's source, x + y * width.
 */
function neighbors(x: i32, y: i32, x0: i32, y0: i32, x1: i32, y1: i32): u32 {
  return (
    ((x > x0 ? 1 : 0) << 28) | ((x < x1 - 1 ? 1 : 0) << 29) | ((y > y0 ? 1 : 0) << 30) | ((y < y1 - 1 ? 1 : 0) << 31)
  );
}

/** The best candidate over all rows, the first of equals in raster order. False if there is none. */
export function takeBest(f: Filling): bool {
  f.matchSsd = 0xffffffff;
  for (let row = 0; row < f.y1 - f.y0; row++) {
    const entry = f.best + ((<usize>row) << 3);
    const ssd = load<u32>(entry);
    if (ssd >= f.matchSsd) continue;
    f.matchSsd = ssd;
    f.matchX = load<i32>(entry, 4);
    f.matchY = f.y0 + row;
  }
  return f.matchSsd !== 0xffffffff;
}

/** Sets the match of the patch. Returns 0 without a match. */
export function inpaintMatch(filling: usize): Value {
  return takeBest(changetype<Filling>(filling)) ? 1 : 0;
}

/**
 * Fills the patch from its match, updates the priorities around it and selects the next patch. Returns the number of
 * filled pixels, 0 without a match. Scratch: 16 bytes.
 */
export function inpaintFill(filling: usize, scratch: usize): Value {
  const f = changetype<Filling>(filling);
  if (!takeBest(f)) return 0;
  const x0 = f.left;
  const y0 = f.top;
  const x1 = x0 + f.columns;
  const y1 = y0 + f.rows;
  const c = patchConfidence(f.confidence, f.stride, x0, y0, x1 - 1, y1 - 1);
  let filled = 0;
  for (let y = y0; y < y1; y++)
    for (let x = x0; x < x1; x++) {
      const at = <usize>(y * f.byteStride + x);
      if (!load<u8>(f.hole + at)) continue;
      const qx = f.matchX + x - x0;
      const qy = f.matchY + y - y0;
      const color = load<u32>(f.source + <usize>(qy * f.stride + (qx << 2)));
      store<u32>(f.image + <usize>(y * f.stride + (x << 2)), color);
      const red = color & 0xff;
      const green = (color >> 8) & 0xff;
      const blue = (color >> 16) & 0xff;
      store<u8>(f.gray + at, <u8>((9798 * red + 19235 * green + 3735 * blue + 16384) >> 15));
      store<u8>(f.hole + at, 0);
      store<u32>(f.confidence + <usize>(y * f.stride + (x << 2)), c);
      const from = (<u32>(qy * f.width + qx)) | neighbors(x, y, x0, y0, x1, y1);
      store<u32>(f.origin + ((<usize>((y - f.boxY) * f.boxWidth + x - f.boxX)) << 2), from);
      filled++;
    }
  // A term depends on the patch around its pixel, and a gradient at its edge on one more pixel.
  const reach = 2 * f.half + 1;
  updateKeys(
    f,
    max(f.boxX, f.x - reach),
    min(f.boxX + f.boxWidth, f.x + reach + 1),
    max(f.boxY, f.y - reach),
    min(f.boxY + f.boxHeight, f.y + reach + 1),
    scratch,
  );
  choose(f);
  return filled;
}
