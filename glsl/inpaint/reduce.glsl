// Minimum distance in a block of CANDIDATES x CANDIDATES, the one with the lowest index among equals. The loop bounds
// do not depend on the image, so that the fetches need not wait for each other. Fetching a candidate twice does not
// change the result.
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
