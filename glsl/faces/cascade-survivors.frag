// Flags of the remaining windows. With `skips`, as in OpenCV, a window is skipped if the one to its left was processed
// and failed the first stage. In a run of failing windows, every second one is processed. A window after a run of odd
// length is left out.
#include "place.glsl"
uniform usampler2D verdicts;
uniform int skips;
out uint survives;

void main() {
  ivec2 p = ivec2(gl_FragCoord.xy);
  survives = texelFetch(verdicts, p, 0).r == 2u ? 1u : 0u;
  if (survives == 0u || skips == 0) return;
  int left = texelFetch(places, ivec2(0, texelFetch(scales, p, 0).r), 0).x;
  int x = p.x;
  while (x > left && texelFetch(verdicts, ivec2(x - 1, p.y), 0).r == 0u) x--;
  if (((p.x - x) & 1) == 1) survives = 0u;
}
