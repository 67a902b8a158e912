// Of a block of CANDIDATES x CANDIDATES the least distance, of equals the one of the least index. The loops have no end that depends
// on the picture, so that their fetches need not wait for each other; a candidate that is fetched twice changes nothing.
uniform usampler2D candidates;

uvec2 nearestOf(ivec2 first) {
  ivec2 last = textureSize(candidates, 0) - 1;
  uvec2 nearest = uvec2(0xffffffffu);
  for (int y = 0; y < CANDIDATES; y++)
    for (int x = 0; x < CANDIDATES; x++) {
      uvec2 c = texelFetch(candidates, min(first + ivec2(x, y), last), 0).xy;
      if (c.x < nearest.x || (c.x == nearest.x && c.y < nearest.y)) nearest = c;
    }
  return nearest;
}
