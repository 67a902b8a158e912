// The least distance of blocks of 8 x 8, of equals the one of the least index.
uniform usampler2D candidates;
out uvec2 nearest;

void main() {
  ivec2 first = ivec2(gl_FragCoord.xy) * 8;
  ivec2 end = min(first + 8, textureSize(candidates, 0));
  nearest = uvec2(0xffffffffu);
  for (int y = first.y; y < end.y; y++)
    for (int x = first.x; x < end.x; x++) {
      uvec2 c = texelFetch(candidates, ivec2(x, y), 0).xy;
      if (c.x < nearest.x || (c.x == nearest.x && c.y < nearest.y)) nearest = c;
    }
}
