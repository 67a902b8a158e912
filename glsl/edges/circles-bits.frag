// An edge image as bits, 32 pixels per texel, with padding around it: texel (i, j) contains the pixels of row j - pad
// starting at 32 i - pad. With `oriented`, eight such images of `rows` rows below one another. Image i contains the
// samples with bit i.
uniform usampler2D edges;
uniform int pad;
uniform int rows;
uniform int oriented;
out uint bits;

void main() {
  ivec2 size = textureSize(edges, 0);
  int x = 32 * int(gl_FragCoord.x) - pad;
  int image = int(gl_FragCoord.y) / rows;
  int y = int(gl_FragCoord.y) - image * rows - pad;
  bits = 0u;
  if (y < 0 || y >= size.y) return;
  int first = max(0, -x);
  int end = min(32, size.x - x);
  for (int i = first; i < end; i++) {
    uint v = texelFetch(edges, ivec2(x + i, y), 0).r;
    bits |= (oriented != 0 ? (v >> image) & 1u : min(v, 1u)) << i;
  }
}
