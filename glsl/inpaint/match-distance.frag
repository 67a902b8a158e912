// The best of four adjacent candidates with its index. Its distance is the SSD of R, G and B over the known pixels of
// the patch of SIDE x SIDE pixels around `center`, plus the penalty for its distance in the image if `near` is 1. All
// ones if none is a candidate, or all exceed `bound`. Candidates outside the window rank after all candidates inside.
// Texels shared by four neighbors are fetched once: 21 pixels for a row of four patches of 9, not 72. NEARBY: only the
// candidates around the patch, every second row, for an initial bound.
uniform usampler2D source;
uniform usampler2D image;
uniform usampler2D center;
uniform int near;
uniform int window;
#ifndef NEARBY
// The nearest candidates around the patch, in parts.
uniform usampler2D bound;
#endif
out uvec2 candidate;

const int REACH = SIDE / 2;
const uint NONE = 0xffffffffu;
ivec2 last;

uvec4 there(ivec2 p) {
  return texelFetch(source, clamp(p, ivec2(0), last), 0);
}

ivec4 squared(ivec4 d) {
  return d * d;
}

void main() {
  candidate = uvec2(NONE);
  uvec4 key = texelFetch(center, ivec2(0), 0);
  if ((key.x | key.y) == 0u) return;
  ivec2 size = textureSize(source, 0);
  last = size - 1;
  ivec2 c = ivec2(int(key.z) % size.x, int(key.z) / size.x);
  ivec2 first = max(c - REACH, 0);
  ivec2 extent = min(c + REACH + 1, size) - first;
  uint limit = NONE;
#ifdef NEARBY
  ivec2 from = first + ivec2(gl_FragCoord.xy) * ivec2(4, 2) - NEARBY;
#else
  ivec2 from = ivec2(gl_FragCoord.xy) * ivec2(4, 1);
  ivec2 parts = textureSize(bound, 0);
  for (int i = 0; i < parts.x * parts.y; i++) limit = min(limit, texelFetch(bound, ivec2(i % parts.x, i / parts.x), 0).x);
#endif
  ivec4 x = from.x + ivec4(0, 1, 2, 3);
  ivec4 dx = x - first.x;
  int dy = from.y - first.y;
  uvec4 apart = near == 0 ? uvec4(0u) : uvec4(min(dx * dx + dy * dy, 0x3fffff));
  uvec4 outside = window == 0 ? uvec4(0u) : uvec4(greaterThan(max(abs(dx), abs(dy)), ivec4(window / 2)));
  // Above 0: not a candidate.
  uvec4 bad = uvec4(lessThan(x, ivec4(0))) + uvec4(greaterThan(x + extent.x, ivec4(size.x)));
  if (limit != NONE) bad += outside;
#ifdef NEARBY
  bad += outside;
#endif
  if (from.y < 0 || from.y + extent.y > size.y) bad += 1u;
  uvec4 sum = uvec4(0u);
  uint count = 0u;
  uvec4 cost = uvec4(NONE);
  for (int v = 0; v < extent.y; v++) {
    uvec4 a = there(from + ivec2(0, v));
    uvec4 b = there(from + ivec2(1, v));
    uvec4 d = there(from + ivec2(2, v));
    for (int u = 0; u < SIDE; u++) {
      uvec4 e = there(from + ivec2(u + 3, v));
      uvec4 here = texelFetch(image, min(first + ivec2(u, v), last), 0);
      uint within = u < extent.x ? 1u : 0u;
      uint known = within * here.a;
      bad += within * (1u - uvec4(a.a, b.a, d.a, e.a));
      ivec4 squares = squared(ivec4(a.r, b.r, d.r, e.r) - int(here.r)) +
        squared(ivec4(a.g, b.g, d.g, e.g) - int(here.g)) +
        squared(ivec4(a.b, b.b, d.b, e.b) - int(here.b));
      sum += known * uvec4(squares);
      count += known;
      a = b;
      b = d;
      d = e;
    }
    cost = sum + ((count * apart) >> 7);
    if (all(greaterThan(bad + uvec4(greaterThan(cost, uvec4(limit))), uvec4(0u)))) return;
  }
  for (int k = 0; k < 4; k++) {
    if (bad[k] != 0u || cost[k] > limit) continue;
    uint far = cost[k] | (outside[k] << 31);
    if (far < candidate.x) candidate = uvec2(far, uint(from.y * size.x + x[k]));
  }
}
