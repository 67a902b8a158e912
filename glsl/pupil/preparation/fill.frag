// Fills corneal reflections from their border (paper 000, section 2.1): the mean of the nearest unmasked samples in
// eight directions, weighted by 1 / distance in integers, as in assembly/pupil/preparation/reflections.ts. At most
// `reach` samples in each direction. PLAIN: one sample per texel, from packed images.
#include "pixels.glsl"
uniform usampler2D source;
uniform usampler2D spots;
uniform int reach;
out uvec4 filled;

#if defined(PACKED) && !defined(PLAIN)
const int LANES = 4;
#else
const int LANES = 1;
#endif

uint at(usampler2D image, ivec2 p) {
#ifdef PACKED
  return texelFetch(image, ivec2(p.x >> 2, p.y), 0)[p.x & 3];
#else
  return texelFetch(image, p, 0).r;
#endif
}

void main() {
  ivec2 texel = ivec2(gl_FragCoord.xy);
#ifdef PLAIN
  uvec4 v = uvec4(at(source, texel));
  uvec4 hidden = uvec4(at(spots, texel));
#else
  uvec4 v = texelFetch(source, texel, 0);
  uvec4 hidden = texelFetch(spots, texel, 0);
#endif
  for (int lane = 0; lane < LANES; lane++) {
    if (hidden[lane] == 0u) continue;
    ivec2 p = ivec2(texel.x * LANES + lane, texel.y);
    uint sum = 0u;
    uint weights = 0u;
    for (int k = 0; k < 9; k++) {
      ivec2 way = ivec2(k % 3, k / 3) - 1;
      if (k == 4) continue;
      ivec2 q = p;
      for (int t = 1; t <= reach; t++) {
        q += way;
        if (any(lessThan(q, ivec2(0))) || any(greaterThanEqual(q, size))) break;
        if (at(spots, q) != 0u) continue;
        uint weight = (way.x != 0 && way.y != 0 ? 741455u : 1048576u) / uint(t);
        sum += weight * at(source, q);
        weights += weight;
        break;
      }
    }
    if (weights > 0u) v[lane] = (sum + weights / 2u) / weights;
  }
  filled = v;
}
