// The list of the remaining windows. FROM_LIST: selected from the windows of the previous list, otherwise from all.
#include "../image/nth-flag.glsl"
uniform usampler2D counts;
uniform usampler2D counters;
uniform int counter;
#ifdef FROM_LIST
uniform usampler2D list;
#endif
uniform ivec2 size;
out uint place;

void main() {
  ivec2 p = ivec2(gl_FragCoord.xy);
  uint n = uint(p.y * size.x + p.x) + 1u;
  place = 0u;
  if (n > texelFetch(counters, ivec2(counter, 0), 0).r) return;
  int from = nthFlag(counts, n);
#ifdef FROM_LIST
  int width = textureSize(list, 0).x;
  place = texelFetch(list, ivec2(from % width, from / width), 0).r;
#else
  place = uint(from);
#endif
}
