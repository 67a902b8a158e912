// Counts of the 256 levels (across) in each row of tiles.
uniform usampler2D tiles;
out uint count;

void main() {
  ivec2 p = ivec2(gl_FragCoord.xy);
  int width = textureSize(tiles, 0).x;
  int word = (p.x >> 2) & 3;
  int shift = (p.x & 3) << 3;
  uint sum = 0u;
  for (int x = p.x >> 4; x < width; x += 16) sum += (texelFetch(tiles, ivec2(x, p.y), 0)[word] >> shift) & 255u;
  count = sum;
}
