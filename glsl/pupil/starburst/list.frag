// The border points of both stages without gaps, in the order of the CPU (WASM): entry 0 is (count, whether a ray
// escaped), point i is entry i + 1. With fewer than a third of the first rays the second stage is left out.
#include "state.glsl"
uniform usampler2D first;
#ifdef SECOND
uniform usampler2D second;
uniform int secondRays;
#endif
uniform int rays;
uniform int paper;
out uvec2 entry;

void main() {
  ivec2 p = ivec2(gl_FragCoord.xy);
  if (!running(p.y)) discard;
  int count = 0;
  uint escaped = 0u;
  uvec2 mine = uvec2(0u);
  for (int i = 0; i < rays; i++) {
    uvec4 hit = texelFetch(first, ivec2(i, p.y), 0);
    count += int(hit.z);
    if (hit.z != 0u && count == p.x) mine = hit.xy;
    escaped |= hit.w;
  }
#ifdef SECOND
  if (paper != 0 || count * 3 >= rays)
    for (int i = 0; i < secondRays; i++) {
      uvec4 hit = texelFetch(second, ivec2(i, p.y), 0);
      count += int(hit.z);
      if (hit.z != 0u && count == p.x) mine = hit.xy;
      escaped |= hit.w;
    }
#endif
  entry = p.x == 0 ? uvec2(uint(count), escaped) : mine;
}
