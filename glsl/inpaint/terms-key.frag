// Front and priority in the hole's box, whose first pixel is `corner`: a 64-bit key (high, low) and the pixel's index.
// The key is confidence * data + 2^32, or the confidence alone if that product is 0. 0 outside the front.
#include "terms.glsl"
out uvec4 key;

void main() {
  ivec2 p = ivec2(gl_FragCoord.xy) + corner;
  uvec2 t = termsAt(p);
  uvec2 a = uvec2(t.x >> 16, t.x & 0xffffu);
  uvec2 b = uvec2(t.y >> 16, t.y & 0xffffu);
  uint low = a.y * b.y;
  uint middle = a.x * b.y + (low >> 16);
  uint other = a.y * b.x + (middle & 0xffffu);
  uint high = a.x * b.x + (middle >> 16) + (other >> 16);
  low = (other << 16) | (low & 0xffffu);
  key = uvec4((high | low) == 0u ? uvec2(0u, t.x) : uvec2(high + 1u, low), uint(p.y * textureSize(image, 0).x + p.x), 0u);
}
