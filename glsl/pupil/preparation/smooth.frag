// Gaussian with OpenCV's integer taps (sum 256) and, with SPOTS, dilation of the reflections, with shared fetches.
// ACROSS: one row, sums of 16 bits. Without: vertically over the sums. BOTH: the whole kernel at once, for
// lab/pupil/ladder. Result of the vertical pass: level, plus 256 for a reflection.
#include "pixels.glsl"
uniform usampler2D source;
uniform uint taps[8];
#ifdef SPOTS
uniform usampler2D spots;
#endif
layout(location = 0) out uvec4 smoothed;
#ifdef SPOTS
#ifdef ACROSS
layout(location = 1) out uvec4 grown;
#endif
#endif

uvec4 tap(int d) {
  return uvec4(d <= RADIUS ? taps[min(d, RADIUS)] : 0u);
}

uvec4 sumAcross(int column, int y) {
  uvec4 sum = uvec4(0u);
#ifdef PACKED
  const int REACH = (RADIUS + 3) / 4;
  for (int o = -REACH; o <= REACH; o++) {
    uvec4 t = pixels(source, column + o, y);
    for (int c = 0; c < 4; c++) {
      int q = 4 * o + c;
      sum += t[c] * uvec4(tap(abs(q)).x, tap(abs(q - 1)).x, tap(abs(q - 2)).x, tap(abs(q - 3)).x);
    }
  }
#else
  for (int o = -RADIUS; o <= RADIUS; o++) sum += taps[abs(o)] * pixels(source, column + o, y);
#endif
  return sum;
}

#ifdef SPOTS
uvec4 growAcross(int column, int y) {
  uvec4 e = uvec4(0u);
#ifdef PACKED
  const int REACH = (GROW + 3) / 4;
  const ivec4 LANES = ivec4(0, 1, 2, 3);
  for (int o = -REACH; o <= REACH; o++) {
    uvec4 t = pixels(spots, column + o, y);
    for (int c = 0; c < 4; c++)
      e = max(e, t[c] * uvec4(lessThanEqual(abs(ivec4(4 * o + c) - LANES), ivec4(GROW))));
  }
#else
  for (int o = -GROW; o <= GROW; o++) e = max(e, pixels(spots, column + o, y));
#endif
  return e;
}
#endif

void main() {
  ivec2 p = ivec2(gl_FragCoord.xy);
  int bottom = size.y - 1;
#ifdef ACROSS
  smoothed = sumAcross(p.x, p.y);
#ifdef SPOTS
  grown = growAcross(p.x, p.y);
#endif
#else
  uvec4 sum = uvec4(32768u);
  uvec4 mask = uvec4(0u);
#ifdef BOTH
  for (int o = -RADIUS; o <= RADIUS; o++) sum += taps[abs(o)] * sumAcross(p.x, clamp(p.y + o, 0, bottom));
#ifdef SPOTS
  for (int o = -GROW; o <= GROW; o++) mask = max(mask, growAcross(p.x, clamp(p.y + o, 0, bottom)));
#endif
#else
  for (int o = -RADIUS; o <= RADIUS; o++)
    sum += taps[abs(o)] * texelFetch(source, ivec2(p.x, clamp(p.y + o, 0, bottom)), 0);
#ifdef SPOTS
  for (int o = -GROW; o <= GROW; o++) mask = max(mask, texelFetch(spots, ivec2(p.x, clamp(p.y + o, 0, bottom)), 0));
#endif
#endif
  smoothed = (sum >> 16) + 256u * min(mask, uvec4(1u));
#endif
}
