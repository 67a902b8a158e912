// Edges with the two of eight directions that enclose the Sobel gradient of the source, as bits. 0 elsewhere and
// without a gradient. The border is replicated.
uniform usampler2D source;
uniform usampler2D edges;
out uint directions;

/** Number of the eighth of a turn, from +x towards +y. */
int octant(ivec2 d) {
  if (d.y >= 0 && d.x > 0) return d.y < d.x ? 0 : 1;
  if (d.x <= 0 && d.y > 0) return -d.x < d.y ? 2 : 3;
  if (d.y <= 0 && d.x < 0) return -d.y < -d.x ? 4 : 5;
  return d.x < -d.y ? 6 : 7;
}

void main() {
  ivec2 p = ivec2(gl_FragCoord.xy);
  directions = 0u;
  if (texelFetch(edges, p, 0).r == 0u) return;
  ivec2 last = textureSize(source, 0) - 1;
  ivec2 d = ivec2(0);
  for (int k = 0; k < 9; k++) {
    ivec2 o = ivec2(k % 3, k / 3) - 1;
    int v = int(texelFetch(source, clamp(p + o, ivec2(0), last), 0).r);
    d += v * o * (2 - abs(o.yx));
  }
  if (d == ivec2(0)) return;
  int k = octant(d);
  directions = (1u << k) | (1u << ((k + 1) & 7));
}
