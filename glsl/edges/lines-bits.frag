// An edge image as bits, 32 pixels per texel: texel (i, j) contains the pixels of row j, or with `down` of column j,
// starting at 32 i.
uniform usampler2D edges;
uniform int down;
out uint bits;

void main() {
  int first = 32 * int(gl_FragCoord.x);
  int line = int(gl_FragCoord.y);
  ivec2 size = textureSize(edges, 0);
  int end = min(32, (down != 0 ? size.y : size.x) - first);
  bits = 0u;
  for (int k = 0; k < end; k++) {
    ivec2 at = down != 0 ? ivec2(line, first + k) : ivec2(first + k, line);
    bits |= min(texelFetch(edges, at, 0).r, 1u) << k;
  }
}
