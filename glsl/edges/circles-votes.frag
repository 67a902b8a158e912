// Votes of 128 neighboring centers for one radius: the edge image in bits (circles-bits.frag), shifted by each
// direction's offset, summed in bit-sliced counters (plane i contains bit i of 128 counts). Returns the maximum votes
// and the first center with this number, as its index in the order radius, y, x.
uniform usampler2D bits;
uniform isampler2D offsets;
uniform int pad;
uniform int chunks;
uniform int directions;
uniform ivec4 region;
uniform int firstRadius;
out uvec2 best;

const int PLANES = 9;

uint word(int i, int y) {
  return texelFetch(bits, ivec2(i, y), 0).r;
}

void main() {
  ivec2 p = ivec2(gl_FragCoord.xy);
  int radius = firstRadius + p.x / chunks;
  int left = 128 * (p.x % chunks);
  uvec4 planes[PLANES];
  for (int i = 0; i < PLANES; i++) planes[i] = uvec4(0u);
  for (int t = 0; t < directions; t++) {
    // An edge votes at (x + dx, y + dy), so a center reads (x - dx, y - dy).
    ivec2 at = region.xy + ivec2(left, p.y) + pad - texelFetch(offsets, ivec2(t, radius), 0).rg;
    int i = at.x >> 5;
    int shift = at.x & 31;
    uint a = word(i, at.y), b = word(i + 1, at.y), c = word(i + 2, at.y), d = word(i + 3, at.y), e = word(i + 4, at.y);
    uvec4 carry = (uvec4(a, b, c, d) >> shift) | ((uvec4(b, c, d, e) << (31 - shift)) << 1);
    for (int k = 0; k < PLANES; k++) {
      uvec4 sum = planes[k] ^ carry;
      carry &= planes[k];
      planes[k] = sum;
    }
  }
  // Centers beyond the region do not count.
  uvec4 most;
  for (int k = 0; k < 4; k++) {
    int rest = clamp(region.z - left - 32 * k, 0, 32);
    most[k] = rest == 32 ? 0xffffffffu : (1u << rest) - 1u;
  }
  uint votes = 0u;
  for (int k = PLANES - 1; k >= 0; k--) {
    uvec4 those = most & planes[k];
    if (any(notEqual(those, uvec4(0u)))) {
      most = those;
      votes |= 1u << k;
    }
  }
  int x = left;
  uint of = most.x;
  for (int k = 1; k < 4 && of == 0u; k++) {
    of = most[k];
    x += 32;
  }
  for (; of != 0u && (of & 1u) == 0u; of >>= 1) x++;
  best = uvec2(votes, uint((radius * region.w + p.y) * region.z + x));
}
