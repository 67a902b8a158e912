// Scharr derivatives of two neighbors, 32 times gray levels per pixel, border replicated: x, y, x, y in one texel.
uniform usampler2D source;
out ivec4 gradient;

ivec2 last;

int at(int x, int y) {
  return int(texelFetch(source, clamp(ivec2(x, y), ivec2(0), last), 0).r);
}

// Weighted sum and difference of a column's three samples.
ivec2 column(int x, int y) {
  int a = at(x, y - 1), b = at(x, y), c = at(x, y + 1);
  return ivec2(3 * (a + c) + 10 * b, c - a);
}

void main() {
  ivec2 p = ivec2(gl_FragCoord.xy);
  last = textureSize(source, 0) - 1;
  int x = 2 * p.x;
  ivec2 a = column(x - 1, p.y), b = column(x, p.y), c = column(x + 1, p.y), d = column(x + 2, p.y);
  gradient = ivec4(c.x - a.x, 3 * (a.y + c.y) + 10 * b.y, d.x - b.x, 3 * (b.y + d.y) + 10 * c.y);
}
