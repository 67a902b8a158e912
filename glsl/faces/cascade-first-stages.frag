// The first stages, over all windows: 0 fails the first stage, 1 is not a window, is rejected or fails a later stage, 2
// passes.
#include "place.glsl"
#include "stages.glsl"
uniform sampler2D factors;
uniform int end;
uniform int tableTexels;
out uint verdict;

void main() {
  verdict = 1u;
  ivec2 p = ivec2(gl_FragCoord.xy);
  float factor = texelFetch(factors, p, 0).r;
  if (factor == 0.0) return;
  Window window = windowAt(p);
  int base = window.scale * tableTexels;
  if (!passesStages(window.corner, factor, ivec2(0, 1), base)) verdict = 0u;
  else if (passesStages(window.corner, factor, ivec2(1, end), base)) verdict = 2u;
}
