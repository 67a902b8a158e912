// Position of the n-th flag (from 1), given the inclusive counts of flags in row-major order: the first position whose
// count is n, by binary search (at most 24 fetches for 10^7 samples).
int nthFlag(usampler2D counts, uint n) {
  ivec2 size = textureSize(counts, 0);
  int low = int(n) - 1;
  int high = size.x * size.y - 1;
  while (low < high) {
    int middle = (low + high) >> 1;
    if (texelFetch(counts, ivec2(middle % size.x, middle / size.x), 0).r < n) low = middle + 1;
    else high = middle;
  }
  return low;
}
