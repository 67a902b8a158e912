// The maximum key of blocks of KEYS x KEYS, the one with the lowest index among equals.
uniform usampler2D keys;
out uvec4 best;

void main() {
  ivec2 first = ivec2(gl_FragCoord.xy) * KEYS;
  ivec2 last = textureSize(keys, 0) - 1;
  best = texelFetch(keys, first, 0);
  for (int y = 0; y < KEYS; y++)
    for (int x = 0; x < KEYS; x++) {
      uvec4 k = texelFetch(keys, min(first + ivec2(x, y), last), 0);
      bool larger = k.x != best.x ? k.x > best.x : k.y != best.y ? k.y > best.y : k.z < best.z;
      if (larger) best = k;
    }
}
