// The largest key of blocks of 8 x 8, of equals the one of the least index.
uniform usampler2D keys;
out uvec4 best;

void main() {
  ivec2 first = ivec2(gl_FragCoord.xy) * 8;
  ivec2 end = min(first + 8, textureSize(keys, 0));
  best = texelFetch(keys, first, 0);
  for (int y = first.y; y < end.y; y++)
    for (int x = first.x; x < end.x; x++) {
      uvec4 k = texelFetch(keys, ivec2(x, y), 0);
      bool larger = k.x != best.x ? k.x > best.x : k.y != best.y ? k.y > best.y : k.z < best.z;
      if (larger) best = k;
    }
}
