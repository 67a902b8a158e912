// What a patch did: its centre, the match, the distance, and how many pixels are new.
uniform usampler2D colours;
uniform usampler2D centre;
uniform usampler2D nearest;
out uvec4 entry;

void main() {
  ivec2 size = textureSize(colours, 0);
  uint count = 0u;
  for (int y = 0; y < size.y; y++)
    for (int x = 0; x < size.x; x++) count += texelFetch(colours, ivec2(x, y), 0).a;
  uvec2 match = texelFetch(nearest, ivec2(0), 0).xy;
  entry = uvec4(texelFetch(centre, ivec2(0), 0).z, match.y, match.x, count);
}
