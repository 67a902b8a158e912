// Median over a square with any odd size up to 25, border replicated, by Huang's sliding histogram. A step to the right
// removes one column from the window and adds one, and the median moves from its previous value. Source: Huang, Yang,
// Tang, IEEE Trans. ASSP 27(1), 1979. The columns of the window are adjacent in scratch, 32 bytes each.

const SLOT: i32 = 32;

/** Number of the `size` bytes at p that are less than the level in all lanes of `level`. */
function less(p: usize, level: v128, mask: u32): i32 {
  const bits =
    (<u32>i8x16.bitmask(i8x16.lt_u(v128.load(p), level))) |
    ((<u32>i8x16.bitmask(i8x16.lt_u(v128.load(p, 16), level))) << 16);
  return popcnt<i32>(bits & mask);
}

/** Rows y0..y1-1. Scratch: 512 + 32 * (width + 2 * size) bytes. */
export function medianHistogram(
  source: usize,
  sourceStride: i32,
  target: usize,
  targetStride: i32,
  width: i32,
  height: i32,
  size: i32,
  y0: i32,
  y1: i32,
  scratch: usize,
): i32 {
  const radius = size >> 1;
  const counts = scratch;
  const columns = scratch + 512; // column x of the image is slot x + radius + 1, with one spare on the left
  const half = (size * size) >> 1;
  const mask: u32 = ((<u32>1) << size) - 1;
  const slots = width + 2 * radius + 1;
  for (let i = 0; i < size; i++)
    fillSlots(source, sourceStride, width, height, radius, slots, y0 - radius + i, i, columns);
  for (let y = y0, oldest = 0; y < y1; y++) {
    if (y > y0) {
      fillSlots(source, sourceStride, width, height, radius, slots, y + radius, oldest, columns);
      oldest = oldest + 1 == size ? 0 : oldest + 1;
    }
    memory.fill(counts, 0, 512);
    for (let i = 0; i < size; i++) {
      const slot = columns + i * SLOT;
      for (let j = 0; j < size; j++) {
        const c = counts + ((<usize>load<u8>(slot + j)) << 1);
        store<u16>(c, load<u16>(c) + 1);
      }
    }
    // `below` is the number of window samples less than `median`. Slot `out` leaves, slot `out + size` * SLOT enters.
    let median = 0;
    let below = 0;
    let leave = columns;
    let enter = columns + size * SLOT;
    const d = target + <usize>(y * targetStride);
    for (let x = 0; ;) {
      while (below > half) {
        median--;
        below -= <i32>load<u16>(counts + ((<usize>median) << 1));
      }
      for (;;) {
        const next = below + <i32>load<u16>(counts + ((<usize>median) << 1));
        if (next > half) break;
        below = next;
        median++;
      }
      store<u8>(d + x, <u8>median);
      if (++x == width) break;
      const level = i8x16.splat(<i8>median);
      below += less(enter, level, mask) - less(leave, level, mask);
      for (let j = 0; j < size; j++) {
        const o = counts + ((<usize>load<u8>(leave + j)) << 1);
        store<u16>(o, load<u16>(o) - 1);
        const n = counts + ((<usize>load<u8>(enter + j)) << 1);
        store<u16>(n, load<u16>(n) + 1);
      }
      leave += SLOT;
      enter += SLOT;
    }
  }
  return 0;
}

/** Writes row y (replicated) of the image to place `place` of every column's slot. */
function fillSlots(
  source: usize,
  sourceStride: i32,
  width: i32,
  height: i32,
  radius: i32,
  slots: i32,
  y: i32,
  place: i32,
  columns: usize,
): void {
  const s = source + <usize>(min(max(y, 0), height - 1) * sourceStride);
  let c = columns + place;
  for (let i = 0; i < slots; i++, c += SLOT) store<u8>(c, load<u8>(s + min(max(i - radius, 0), width - 1)));
}

export function medianHistogramScratch(width: i32, size: i32): i32 {
  return 512 + 32 * (width + 2 * size);
}
