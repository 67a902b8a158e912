// Later stages, over the windows of a list: positions in the atlas, row by row.
#include "place.glsl"
#include "stages.glsl"
uniform usampler2D list;
uniform usampler2D counters;
uniform int counter;
uniform sampler2D factors;
uniform ivec2 range;
uniform int tableTexels;
out uint passes;

void main() {
  ivec2 p = ivec2(gl_FragCoord.xy);
  passes = 0u;
  if (uint(p.y * textureSize(list, 0).x + p.x) >= texelFetch(counters, ivec2(counter, 0), 0).r) return;
  int place = int(texelFetch(list, p, 0).r);
  int width = textureSize(scales, 0).x;
  ivec2 at = ivec2(place % width, place / width);
  Window window = windowAt(at);
  float factor = texelFetch(factors, at, 0).r;
  if (passesStages(window.corner, factor, range, window.scale * tableTexels)) passes = 1u;
}
