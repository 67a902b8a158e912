// Gather of a compaction: entry i of the list is the first position whose inclusive count of flags is i + 1, found by
// binary search (at most 24 fetches for 10^7 samples); 0xffffffff behind the last entry.
uniform usampler2D counts;
out uint index;

void main() {
  ivec2 p = ivec2(gl_FragCoord.xy);
  ivec2 size = textureSize(counts, 0);
  uint wanted = uint(p.y * size.x + p.x) + 1u;
  if (wanted > texelFetch(counts, size - 1, 0).r) {
    index = 0xffffffffu;
    return;
  }
  int low = int(wanted) - 1;
  int high = size.x * size.y - 1;
  while (low < high) {
    int middle = (low + high) >> 1;
    if (texelFetch(counts, ivec2(middle % size.x, middle / size.x), 0).r < wanted) low = middle + 1;
    else high = middle;
  }
  index = uint(low);
}
