// Blocks of 2 x 2 pixels: the pixels of a block are neighbors, so a block has one label. Labels are pixel indices in
// row-major order, NONE for an empty block. Bit k of a block's links refers to its k-th neighbor in that order.
const uint NONE = 0xffffffffu;

/** The smallest label of a block and of the blocks that it touches. */
uint lowest(usampler2D labels, uint links, ivec2 block) {
  uint low = texelFetch(labels, block, 0).r;
  for (int k = 0; k < 8; k++) {
    if (((links >> k) & 1u) == 0u) continue;
    int place = k < 4 ? k : k + 1;
    low = min(low, texelFetch(labels, block + ivec2(place % 3, place / 3) - 1, 0).r);
  }
  return low;
}

/** The block of a label. */
ivec2 blockOf(uint label, uint width) {
  return ivec2(label % width, label / width) >> 1;
}
