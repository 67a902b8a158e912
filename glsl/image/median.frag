// Exact median of (2 RADIUS + 1)^2 8-bit samples, RADIUS 1 to 7, border replicated. Radius 1 sorts nine values (the 19
// exchanges of Smith's network). Larger ones read the window twice. The first pass counts the high nibbles in 16
// counters of 8 bits (a window has at most 225 samples). The second pass counts the low nibbles of the samples in the
// bin of the median. The sums are exact, and only four registers are indexed by data.
uniform usampler2D source;
out uint middle;

ivec2 last;

uint at(ivec2 p) {
  return texelFetch(source, clamp(p, ivec2(0), last), 0).r;
}

#if RADIUS == 1
void order(inout uint a, inout uint b) {
  uint low = min(a, b);
  b = max(a, b);
  a = low;
}

uint median(ivec2 p) {
  uint a = at(p + ivec2(-1, -1)), b = at(p + ivec2(0, -1)), c = at(p + ivec2(1, -1));
  uint d = at(p + ivec2(-1, 0)), e = at(p), f = at(p + ivec2(1, 0));
  uint g = at(p + ivec2(-1, 1)), h = at(p + ivec2(0, 1)), i = at(p + ivec2(1, 1));
  order(b, c); order(e, f); order(h, i);
  order(a, b); order(d, e); order(g, h);
  order(b, c); order(e, f); order(h, i);
  order(a, d); order(f, i); order(e, h);
  order(d, g); order(b, e); order(c, f);
  order(e, h); order(e, c); order(g, e);
  order(e, c);
  return e;
}
#else
const uvec4 WORDS = uvec4(0u, 1u, 2u, 3u);

void count(inout uvec4 counters, uint nibble) {
  counters += uvec4(equal(WORDS, uvec4(nibble >> 2))) << ((nibble & 3u) << 3);
}

// The bin that contains the sample of this rank. The rank becomes the rank within the bin.
uint select(uvec4 counters, inout uint rank) {
  for (uint bin = 0u; bin < 15u; bin++) {
    uint inside = (counters[bin >> 2] >> ((bin & 3u) << 3)) & 255u;
    if (rank < inside) return bin;
    rank -= inside;
  }
  return 15u;
}

uint median(ivec2 p) {
  uvec4 counters = uvec4(0u);
  for (int y = -RADIUS; y <= RADIUS; y++)
    for (int x = -RADIUS; x <= RADIUS; x++) count(counters, at(p + ivec2(x, y)) >> 4);
  uint rank = uint(2 * RADIUS * (RADIUS + 1));
  uint high = select(counters, rank);
  counters = uvec4(0u);
  for (int y = -RADIUS; y <= RADIUS; y++)
    for (int x = -RADIUS; x <= RADIUS; x++) {
      uint v = at(p + ivec2(x, y));
      if (v >> 4 == high) count(counters, v & 15u);
    }
  return high << 4 | select(counters, rank);
}
#endif

void main() {
  last = textureSize(source, 0) - 1;
  middle = median(ivec2(gl_FragCoord.xy));
}
