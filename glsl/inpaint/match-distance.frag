// The best of eight adjacent candidates with its index. Its distance is the SSD of R, G and B over the known pixels of
// the patch of SIDE x SIDE pixels around `center`, plus the penalty for its distance in the image if `near` is 1. All
// ones if none is a candidate, or all exceed `bound`. Candidates outside the window rank after all candidates inside.
// Texels shared by neighbors are fetched once: 25 pixels for a row of eight patches of 9, not 144. NEARBY: only the
// candidates around the patch, every second row, for an initial bound.
// Samples are put into the low bits of the float 2^23: differences and the sums of a row are exact, and float units are
// twice as fast as those for integers on many devices.
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

vec3 color(uvec4 texel) {
  return uintBitsToFloat(texel.rgb | 0x4b000000u);
}

// Eight neighbors: channel by channel, the four on the left and the four on the right.
struct Four {
  vec4 r;
  vec4 g;
  vec4 b;
  uvec4 a;
};

void shift(inout Four left, inout Four right, uvec4 next) {
  vec3 c = color(next);
  left = Four(vec4(left.r.yzw, right.r.x), vec4(left.g.yzw, right.g.x), vec4(left.b.yzw, right.b.x), uvec4(left.a.yzw, right.a.x));
  right = Four(vec4(right.r.yzw, c.r), vec4(right.g.yzw, c.g), vec4(right.b.yzw, c.b), uvec4(right.a.yzw, next.a));
}

vec4 squares(Four four, vec3 here) {
  vec4 r = four.r - here.r;
  vec4 g = four.g - here.g;
  vec4 b = four.b - here.b;
  return r * r + g * g + b * b;
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
  ivec2 from = first + ivec2(gl_FragCoord.xy) * ivec2(8, 2) - NEARBY;
#else
  ivec2 from = ivec2(gl_FragCoord.xy) * ivec2(8, 1);
  ivec2 parts = textureSize(bound, 0);
  for (int i = 0; i < parts.x * parts.y; i++) limit = min(limit, texelFetch(bound, ivec2(i % parts.x, i / parts.x), 0).x);
#endif
  ivec4 steps = ivec4(0, 1, 2, 3);
  int dy = from.y - first.y;
  uvec4 apart[2];
  uvec4 outside[2];
  // Above 0: not a candidate.
  uvec4 bad[2];
  for (int k = 0; k < 2; k++) {
    ivec4 x = from.x + 4 * k + steps;
    ivec4 dx = x - first.x;
    apart[k] = near == 0 ? uvec4(0u) : uvec4(min(dx * dx + dy * dy, 0x3fffff));
    outside[k] = window == 0 ? uvec4(0u) : uvec4(greaterThan(max(abs(dx), ivec4(abs(dy))), ivec4(window / 2)));
    bad[k] = uvec4(lessThan(x, ivec4(0))) + uvec4(greaterThan(x + extent.x, ivec4(size.x)));
    if (limit != NONE) bad[k] += outside[k];
#ifdef NEARBY
    bad[k] += outside[k];
#endif
    if (from.y < 0 || from.y + extent.y > size.y) bad[k] += 1u;
  }
  uvec4 sum[2] = uvec4[2](uvec4(0u), uvec4(0u));
  uvec4 cost[2] = uvec4[2](uvec4(NONE), uvec4(NONE));
  uint count = 0u;
  for (int v = 0; v < extent.y; v++) {
    Four left = Four(vec4(0.0), vec4(0.0), vec4(0.0), uvec4(0u));
    Four right = left;
    for (int u = 0; u < 7; u++) shift(left, right, there(from + ivec2(u, v)));
    vec4 one = vec4(0.0);
    vec4 other = vec4(0.0);
    for (int u = 0; u < SIDE; u++) {
      shift(left, right, there(from + ivec2(u + 7, v)));
      uvec4 here = texelFetch(image, min(first + ivec2(u, v), last), 0);
      // No branch: the fetches of a row need not wait for each other.
      uint within = u < extent.x ? 1u : 0u;
      uint known = within * here.a;
      bad[0] += within * (1u - left.a);
      bad[1] += within * (1u - right.a);
      count += known;
      one += float(known) * squares(left, color(here));
      other += float(known) * squares(right, color(here));
    }
    sum[0] += uvec4(one);
    sum[1] += uvec4(other);
    bool done = true;
    for (int k = 0; k < 2; k++) {
      cost[k] = sum[k] + ((count * apart[k]) >> 7);
      done = done && all(greaterThan(bad[k] + uvec4(greaterThan(cost[k], uvec4(limit))), uvec4(0u)));
    }
    if (done) return;
  }
  for (int k = 0; k < 8; k++) {
    int i = k >> 2;
    int j = k & 3;
    if (bad[i][j] != 0u || cost[i][j] > limit) continue;
    uint far = cost[i][j] | (outside[i][j] << 31);
    if (far < candidate.x) candidate = uvec2(far, uint(from.y * size.x + from.x + k));
  }
}
