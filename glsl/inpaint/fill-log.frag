// The end of a search, and what its patch does: its center, the match, the distance, and how many pixels are new. All ones as
// the distance: there is nothing to fill, or nothing to fill it with.
#include "reduce.glsl"
uniform usampler2D image;
uniform usampler2D center;
uniform int reach;
out uvec4 entry;

void main() {
  uvec2 match = nearestOf(ivec2(0));
  int index = int(texelFetch(center, ivec2(0), 0).z);
  ivec2 size = textureSize(image, 0);
  ivec2 c = ivec2(index % size.x, index / size.x);
  ivec2 first = max(c - reach, 0);
  ivec2 last = min(c + reach, size - 1);
  uint count = 0u;
  for (int y = first.y; y <= last.y; y++)
    for (int x = first.x; x <= last.x; x++) count += 1u - texelFetch(image, ivec2(x, y), 0).a;
  entry = uvec4(uint(index), match.y, match.x, match.x == 0xffffffffu ? 0u : count);
}
