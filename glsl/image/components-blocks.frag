// The first pixel of each 2 x 2 block and the blocks that it touches, from the 16 samples in and around it.
#include "components-links.glsl"
uniform usampler2D source;
layout(location = 0) out uint first;
layout(location = 1) out uint links;

void main() {
  ivec2 size = textureSize(source, 0);
  ivec2 origin = 2 * ivec2(gl_FragCoord.xy);
  uint bits = 0u;
  for (int k = 0; k < 16; k++) {
    ivec2 at = origin + ivec2(k & 3, k >> 2) - 1;
    if (any(lessThan(at, ivec2(0))) || any(greaterThanEqual(at, size))) continue;
    bits |= min(texelFetch(source, at, 0).r, 1u) << k;
  }
  links = 0u;
  first = NONE;
  if ((bits & 0x660u) == 0u) return;
  int place = (bits & 0x020u) != 0u ? 0 : (bits & 0x040u) != 0u ? 1 : (bits & 0x200u) != 0u ? 2 : 3;
  first = uint((origin.y + (place >> 1)) * size.x + origin.x + (place & 1));
  // Its pixels along an edge or corner, and the adjacent pixels of the neighbor.
  const uint own[8] = uint[8](0x020u, 0x060u, 0x040u, 0x220u, 0x440u, 0x200u, 0x600u, 0x400u);
  const uint theirs[8] = uint[8](0x0001u, 0x0006u, 0x0008u, 0x0110u, 0x0880u, 0x1000u, 0x6000u, 0x8000u);
  for (int k = 0; k < 8; k++)
    if ((bits & own[k]) != 0u && (bits & theirs[k]) != 0u) links |= 1u << k;
}
