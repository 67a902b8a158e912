// Histogram of bytes. Four alternating tables, so that equal neighbors do not wait for each other's counter.

/**
 * Histograms of the blocks y0..y1-1 of `blockRows` rows each, 256 u32 at out + 1024 * block. Scratch: 3072 bytes.
 */
export function histogramBlocks(
  source: usize,
  sourceStride: i32,
  out: usize,
  width: i32,
  height: i32,
  blockRows: i32,
  y0: i32,
  y1: i32,
  scratch: usize,
): i32 {
  for (let block = y0; block < y1; block++) {
    const table = out + ((<usize>block) << 10);
    memory.fill(table, 0, 1024);
    memory.fill(scratch, 0, 3072);
    const end = min((block + 1) * blockRows, height);
    for (let y = block * blockRows; y < end; y++) {
      let s = source + <usize>(y * sourceStride);
      const stop = s + <usize>width;
      for (; s + 4 <= stop; s += 4) {
        const a = table + ((<usize>load<u8>(s)) << 2);
        store<u32>(a, load<u32>(a) + 1);
        const b = scratch + ((<usize>load<u8>(s, 1)) << 2);
        store<u32>(b, load<u32>(b) + 1);
        const c = scratch + ((<usize>load<u8>(s, 2)) << 2);
        store<u32>(c, load<u32>(c, 1024) + 1, 1024);
        const d = scratch + ((<usize>load<u8>(s, 3)) << 2);
        store<u32>(d, load<u32>(d, 2048) + 1, 2048);
      }
      for (; s < stop; s++) {
        const a = table + ((<usize>load<u8>(s)) << 2);
        store<u32>(a, load<u32>(a) + 1);
      }
    }
    for (let i = 0; i < 1024; i += 16)
      v128.store(
        table + i,
        i32x4.add(
          i32x4.add(v128.load(table + i), v128.load(scratch + i)),
          i32x4.add(v128.load(scratch + i, 1024), v128.load(scratch + i, 2048)),
        ),
      );
  }
  return 0;
}

/** Adds the histograms of `blocks` blocks into the first. */
export function histogramTotal(out: usize, blocks: i32, scratch: usize): i32 {
  for (let block = 1; block < blocks; block++)
    for (let i = 0; i < 1024; i += 16)
      v128.store(out + i, i32x4.add(v128.load(out + i), v128.load(out + ((<usize>block) << 10) + i)));
  return 0;
}

export function histogramBlocksScratch(): i32 {
  return 3072;
}
