// Gather step of a compaction: entry i of the list is the position of flag i + 1. 0xffffffff after the last entry.
#include "nth-flag.glsl"
uniform usampler2D counts;
out uint index;

void main() {
  ivec2 p = ivec2(gl_FragCoord.xy);
  ivec2 size = textureSize(counts, 0);
  uint wanted = uint(p.y * size.x + p.x) + 1u;
  index = wanted > texelFetch(counts, size - 1, 0).r ? 0xffffffffu : uint(nthFlag(counts, wanted));
}
