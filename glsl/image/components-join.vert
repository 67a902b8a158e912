// One vertex per block. If the block touches a block with a smaller label, it writes that label to the block that its
// label refers to. With several writes the last one drawn remains, so the order changes in every pass: vertex n is
// block (a n + b) mod 2^m.
#include "components-links.glsl"
uniform usampler2D labels;
uniform usampler2D links;
uniform uint width;
uniform uint factor;
uniform uint offset;
uniform uint mask;
flat out uint lower;

void main() {
  ivec2 size = textureSize(labels, 0);
  int n = int((uint(gl_VertexID) * factor + offset) & mask);
  gl_PointSize = 1.0;
  gl_Position = vec4(2.0, 2.0, 0.0, 1.0); // outside: nothing is drawn
  lower = NONE;
  if (n >= size.x * size.y) return;
  ivec2 block = ivec2(n % size.x, n / size.x);
  uint own = texelFetch(labels, block, 0).r;
  lower = lowest(labels, texelFetch(links, block, 0).r, block);
  if (lower == own) return;
  vec2 at = (vec2(blockOf(own, width)) + 0.5) / vec2(size);
  gl_Position = vec4(2.0 * at - 1.0, 0.0, 1.0);
}
