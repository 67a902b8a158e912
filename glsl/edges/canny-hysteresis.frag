// One step of hysteresis over tiles of 8x8 pixels (see canny-pack.frag): weak pixels next to a strong one, in this tile
// or in a neighboring one, become strong. This repeats inside the tile until nothing changes. An edge crosses one tile
// per pass.
uniform usampler2D tiles;
layout(location = 0) out uvec4 tile;
layout(location = 1) out uint changed;

ivec2 size;

uvec2 strongAt(ivec2 p) {
  bool inside = all(greaterThanEqual(p, ivec2(0))) && all(lessThan(p, size));
  return inside ? texelFetch(tiles, p, 0).xy : uvec2(0u);
}

/** A row combined with its neighbors to the left and to the right, inside the tile. */
uvec2 across(uvec2 v) {
  return v | ((v << 1) & 0xfefefefeu) | ((v >> 1) & 0x7f7f7f7fu);
}

/** Each row combined with the rows above and below, inside the tile. */
uvec2 along(uvec2 v) {
  uvec2 up = uvec2((v.x >> 8) | (v.y << 24), v.y >> 8);
  uvec2 down = uvec2(v.x << 8, (v.y << 8) | (v.x >> 24));
  return v | up | down;
}

void main() {
  ivec2 p = ivec2(gl_FragCoord.xy);
  size = textureSize(tiles, 0);
  tile = texelFetch(tiles, p, 0);
  changed = 0u;
  if ((tile.z | tile.w) == 0u) return;
  uvec2 west = (strongAt(p + ivec2(-1, 0)) >> 7) & 0x01010101u;
  uvec2 east = (strongAt(p + ivec2(1, 0)) << 7) & 0x80808080u;
  uint north = strongAt(p + ivec2(0, -1)).y >> 24;
  uint south = strongAt(p + ivec2(0, 1)).x & 0xffu;
  uvec2 outside = along(west | east);
  outside.x |= (north | (north << 1) | (north >> 1)) & 0xffu;
  outside.y |= ((south | (south << 1) | (south >> 1)) & 0xffu) << 24;
  outside.x |= strongAt(p + ivec2(-1, -1)).y >> 31;
  outside.x |= ((strongAt(p + ivec2(1, -1)).y >> 24) & 1u) << 7;
  outside.y |= ((strongAt(p + ivec2(-1, 1)).x >> 7) & 1u) << 24;
  outside.y |= (strongAt(p + ivec2(1, 1)).x & 1u) << 31;
  uvec2 found = outside & tile.zw;
  found |= along(across(tile.xy)) & tile.zw;
  while ((found.x | found.y) != 0u) {
    changed = 1u;
    tile.xy |= found;
    tile.zw &= ~found;
    found = along(across(found)) & tile.zw;
  }
}
