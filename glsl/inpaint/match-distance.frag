// Distance of every candidate: SSD of R, G and B over the known pixels of the patch around `center`, with the penalty for
// its distance in the picture where `near` is 1; and the candidate's index. All ones where it is no candidate, or worse
// than `bound`. Candidates outside of the window come after all those inside.
// NEARBY: only the candidates around the patch, for a first bound.
uniform usampler2D source;
uniform usampler2D image;
uniform usampler2D center;
uniform int reach;
uniform int near;
uniform int window;
#ifndef NEARBY
uniform usampler2D bound;
#endif
out uvec2 candidate;

void main() {
  candidate = uvec2(0xffffffffu);
  uvec4 key = texelFetch(center, ivec2(0), 0);
  if ((key.x | key.y) == 0u) return;
  ivec2 size = textureSize(source, 0);
  ivec2 c = ivec2(int(key.z) % size.x, int(key.z) / size.x);
  ivec2 first = max(c - reach, 0);
  ivec2 extent = min(c + reach + 1, size) - first;
  ivec2 from = ivec2(gl_FragCoord.xy);
#ifdef NEARBY
  from = first + (from - NEARBY / 2) * 2;
#endif
  ivec2 d = from - first;
  bool outside = window > 0 && max(abs(d.x), abs(d.y)) > window / 2;
#ifdef NEARBY
  uint limit = 0xffffffffu;
  if (outside) return;
#else
  uint limit = texelFetch(bound, ivec2(0), 0).x;
  if (outside && limit != 0xffffffffu) return;
#endif
  if (any(lessThan(from, ivec2(0))) || any(greaterThan(from + extent, size))) return;
  uint apart = near == 0 ? 0u : uint(min(d.x * d.x + d.y * d.y, 0x3fffff));
  uint sum = 0u;
  uint count = 0u;
  for (int y = 0; y < extent.y; y++) {
    for (int x = 0; x < extent.x; x++) {
      ivec2 offset = ivec2(x, y);
      uvec4 there = texelFetch(source, from + offset, 0);
      if (there.a == 0u) return;
      uvec4 here = texelFetch(image, first + offset, 0);
      ivec3 difference = ivec3(there.rgb) - ivec3(here.rgb);
      difference *= int(here.a);
      count += here.a;
      sum += uint(difference.r * difference.r + difference.g * difference.g + difference.b * difference.b);
    }
    if (sum + ((count * apart) >> 7) > limit) return;
  }
  candidate = uvec2((sum + ((count * apart) >> 7)) | (outside ? 0x80000000u : 0u), uint(from.y * size.x + from.x));
}
