// Erosion (ERODE) or dilation: extreme over RADIUS columns to the left and right and the rows first, first + stride,
// ..., last. One row: the horizontal pass. RADIUS 0: the vertical pass, or a doubling step if the source's windows are
// `stride` high. RESIDUE: original minus the result above a threshold, which combines the last step of the white
// top-hat with its threshold.
#include "pixels.glsl"
uniform usampler2D source;
uniform int first;
uniform int stride;
uniform int last;
#ifdef RESIDUE
uniform usampler2D original;
uniform uint level;
#endif
out uvec4 extreme;

// Both are maxima, for erosion of the complement. A factor of 0 then excludes a sample.
#ifdef ERODE
#define TURN(v) (255u - (v))
#else
#define TURN(v) (v)
#endif

uvec4 across(int column, int y) {
  uvec4 e = uvec4(0u);
#ifdef PACKED
  const int REACH = (RADIUS + 3) / 4;
  const ivec4 LANES = ivec4(0, 1, 2, 3);
  for (int o = -REACH; o <= REACH; o++) {
    uvec4 t = TURN(pixels(source, column + o, y));
    int q = 4 * o;
    // Inside the windows of all four lanes.
    if (q >= 3 - RADIUS && q + 3 <= RADIUS) e = max(e, uvec4(max(max(t.x, t.y), max(t.z, t.w))));
    else
      for (int c = 0; c < 4; c++)
        e = max(e, t[c] * uvec4(lessThanEqual(abs(ivec4(q + c) - LANES), ivec4(RADIUS))));
  }
#else
  for (int o = -RADIUS; o <= RADIUS; o++) e = max(e, TURN(pixels(source, column + o, y)));
#endif
  return e;
}

void main() {
  ivec2 p = ivec2(gl_FragCoord.xy);
  uvec4 e = uvec4(0u);
  int y = first;
  for (; y < last; y += stride) e = max(e, across(p.x, clamp(p.y + y, 0, size.y - 1)));
  e = max(e, across(p.x, clamp(p.y + last, 0, size.y - 1)));
  e = TURN(e);
#ifdef RESIDUE
  e = 255u * uvec4(greaterThan(texelFetch(original, p, 0) - e, uvec4(level)));
#endif
  extreme = e;
}
