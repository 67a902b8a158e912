// The largest key of blocks of 8 x 8, of equals the one of the least index.
uniform usampler2D keys;
out uvec4 best;

void main() {
  ivec2 first = ivec2(gl_FragCoord.xy) * 8;
  ivec2 last = textureSize(keys, 0) - 1;
  best = texelFetch(keys, first, 0);
  for (int y = 0; y < 8; y++)
    for (int x = 0; x < 8; x++) {
      uvec4 k = texelFetch(keys, min(first + ivec2(x, y), last), 0);
      bool larger = k.x != best.x ? k.x > best.x : k.y != best.y ? k.y > best.y : k.z < best.z;
      if (larger) best = k;
    }
}
