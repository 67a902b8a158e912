// Corneal reflections filled from their border (paper 000, section 2.1): the mean of the nearest unmasked samples in
// eight directions, weighted by 1 / distance. At most `reach` samples each way. PLAIN: one a texel, of packed images.
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
    float sum = 0.0;
    float weights = 0.0;
    for (int k = 0; k < 9; k++) {
      ivec2 way = ivec2(k % 3, k / 3) - 1;
      if (k == 4) continue;
      ivec2 q = p;
      for (int t = 1; t <= reach; t++) {
        q += way;
        if (any(lessThan(q, ivec2(0))) || any(greaterThanEqual(q, size))) break;
        if (at(spots, q) != 0u) continue;
        float d = way.x != 0 && way.y != 0 ? 1.4142135 * float(t) : float(t);
        sum += float(at(source, q)) / d;
        weights += 1.0 / d;
        break;
      }
    }
    if (weights > 0.0) v[lane] = uint(sum / weights + 0.5);
  }
  filled = v;
}
