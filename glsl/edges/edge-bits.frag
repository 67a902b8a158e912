// An edge image as bits, 32 pixels a texel, with room around it: texel (i, j) holds the pixels from 32 i - pad on of the
// row j - pad.
uniform usampler2D edges;
uniform int pad;
out uint bits;

void main() {
  ivec2 size = textureSize(edges, 0);
  int x = 32 * int(gl_FragCoord.x) - pad;
  int y = int(gl_FragCoord.y) - pad;
  bits = 0u;
  if (y < 0 || y >= size.y) return;
  int first = max(0, -x);
  int end = min(32, size.x - x);
  for (int i = first; i < end; i++) bits |= min(texelFetch(edges, ivec2(x + i, y), 0).r, 1u) << i;
}
