// The strong pixels of tiles (see canny-pack.frag) as 255, all others 0.
uniform usampler2D tiles;
out uint edge;

void main() {
  ivec2 p = ivec2(gl_FragCoord.xy);
  uvec4 tile = texelFetch(tiles, p >> 3, 0);
  uint rows = (p.y & 4) == 0 ? tile.x : tile.y;
  edge = ((rows >> (8 * (p.y & 3) + (p.x & 7))) & 1u) * 255u;
}
