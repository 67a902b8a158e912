// What a patch did: its center, the match, the distance, and how many pixels are new.
uniform usampler2D colors;
uniform usampler2D center;
uniform usampler2D nearest;
out uvec4 entry;

void main() {
  ivec2 size = textureSize(colors, 0);
  uint count = 0u;
  for (int y = 0; y < size.y; y++)
    for (int x = 0; x < size.x; x++) count += texelFetch(colors, ivec2(x, y), 0).a;
  uvec2 match = texelFetch(nearest, ivec2(0), 0).xy;
  entry = uvec4(texelFetch(center, ivec2(0), 0).z, match.y, match.x, count);
}
