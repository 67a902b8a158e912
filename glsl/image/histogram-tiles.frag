// Histograms of tiles of 16 x 15 samples: 16 texels per tile, one for each high nibble. Each texel has 16 counters of 8
// bits for the low nibbles (a tile has 240 samples, so they cannot overflow). The counts are integers on every device.
// Blended points would need float blending and be limited to 2^24.
uniform usampler2D source;
out uvec4 counters;

const uvec4 WORDS = uvec4(0u, 1u, 2u, 3u);

void main() {
  ivec2 p = ivec2(gl_FragCoord.xy);
  uint high = uint(p.x & 15);
  ivec2 first = ivec2(p.x >> 4, p.y) * ivec2(16, 15);
  ivec2 end = min(first + ivec2(16, 15), textureSize(source, 0));
  counters = uvec4(0u);
  for (int y = first.y; y < end.y; y++)
    for (int x = first.x; x < end.x; x++) {
      uint v = texelFetch(source, ivec2(x, y), 0).r;
      if (v >> 4 == high) counters += uvec4(equal(WORDS, uvec4((v >> 2) & 3u))) << ((v & 3u) << 3);
    }
}
