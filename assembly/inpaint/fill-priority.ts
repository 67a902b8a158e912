// Selects the next pixel of the front to fill: the maximum priority, ties in raster order. If all priorities are 0, the
// maximum confidence. One 64-bit key per pixel of the hole's box covers both: confidence * data + 2^32, or the
// confidence alone. Keys change only around a new patch. The maximum of each row is stored, so that the selection reads
// rows only.

import { Filling } from './picture-record';
import { terms } from './terms';

/** Bytes of a row's entry: the key (u64), the first x that has it (i32). */
const ROW: usize = 16;

/** Keys of the columns x0..x1-1 in the rows y0..y1-1, and the maxima of these rows. Scratch: 16 bytes. */
export function updateKeys(f: Filling, x0: i32, x1: i32, y0: i32, y1: i32, scratch: usize): void {
  const boxX = f.boxX;
  const boxWidth = f.boxWidth;
  for (let y = y0; y < y1; y++) {
    const row = f.keys + ((<usize>((y - f.boxY) * boxWidth)) << 3);
    for (let x = x0; x < x1; x++) {
      terms(f, x, y, scratch, scratch + 8);
      const c = <u64>load<u32>(scratch);
      const priority = c * <u64>load<u32>(scratch, 4);
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
    const entry = f.largest + <usize>(y - f.boxY) * ROW;
    store<u64>(entry, key);
    store<i32>(entry, at + boxX, 8);
  }
}

/** Rows y0..y1-1 of the keys of the box, in rows of the image. */
export function inpaintKeys(filling: usize, y0: i32, y1: i32, scratch: usize): i32 {
  const f = changetype<Filling>(filling);
  updateKeys(f, f.boxX, f.boxX + f.boxWidth, y0, y1, scratch);
  return 0;
}

/** Makes the pixel with the maximum key the center of the next patch. */
export function choose(f: Filling): void {
  let key: u64 = 0;
  for (let y = 0; y < f.boxHeight; y++) {
    const entry = f.largest + <usize>y * ROW;
    if (load<u64>(entry) <= key) continue;
    key = load<u64>(entry);
    f.x = load<i32>(entry, 8);
    f.y = y + f.boxY;
  }
}

/** The center of the first patch. */
export function inpaintChoose(filling: usize): i32 {
  choose(changetype<Filling>(filling));
  return 0;
}
