// Marks of 8x8 pixels as bits of one texel: x and y the strong ones (above 1), z and w the weak ones, one byte per row.
uniform usampler2D marks;
out uvec4 tile;

void main() {
  ivec2 origin = 8 * ivec2(gl_FragCoord.xy);
  ivec2 size = textureSize(marks, 0);
  ivec2 end = min(size - origin, ivec2(8));
  tile = uvec4(0u);
  for (int y = 0; y < end.y; y++)
    for (int x = 0; x < end.x; x++) {
      uint mark = texelFetch(marks, origin + ivec2(x, y), 0).r;
      if (mark == 0u) continue;
      uint bit = 1u << (8 * (y & 3) + x);
      uvec2 rows = y < 4 ? uvec2(bit, 0u) : uvec2(0u, bit);
      if (mark > 1u) tile.xy |= rows;
      else tile.zw |= rows;
    }
}
