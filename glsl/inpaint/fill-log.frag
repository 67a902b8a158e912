// The end of a search and the effect of its patch: center, match, distance, and number of new pixels. A distance of all
// ones: there are no pixels to fill, or there is no match.
#include "patch.glsl"
#include "reduce.glsl"
uniform usampler2D center;
out uvec4 entry;

void main() {
  uvec2 match = nearestOf(ivec2(0));
  int index = int(texelFetch(center, ivec2(0), 0).z);
  ivec2 size = textureSize(image, 0);
  ivec2 c = ivec2(index % size.x, index / size.x);
  uint count = 0u;
  for (int y = max(c.y - reach, 0); y <= min(c.y + reach, size.y - 1); y++) count += holesOf(rowAt(ivec2(c.x, y)));
  entry = uvec4(uint(index), match.y, match.x, match.x == 0xffffffffu ? 0u : count);
}
