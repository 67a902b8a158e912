// The patch as it will be: color with 1 where a pixel is new, its confidence and its origin (see assembly/inpaint/fill.ts).
#include "patch.glsl"
uniform usampler2D source;
uniform usampler2D center;
uniform usampler2D nearest;
layout(location = 0) out uvec4 color;
layout(location = 1) out uvec2 fact;

void main() {
  color = uvec4(0u);
  fact = uvec2(0u);
  uvec4 key = texelFetch(center, ivec2(0), 0);
  uvec2 match = texelFetch(nearest, ivec2(0), 0).xy;
  if ((key.x | key.y) == 0u || match.x == 0xffffffffu) return;
  ivec2 size = textureSize(image, 0);
  ivec2 c = ivec2(int(key.z) % size.x, int(key.z) / size.x);
  ivec2 first = max(c - reach, 0);
  ivec2 last = min(c + reach, size - 1);
  ivec2 p = first + ivec2(gl_FragCoord.xy);
  if (any(greaterThan(p, last)) || !isHole(p)) return;
  ivec2 from = ivec2(int(match.y) % size.x, int(match.y) / size.x) + p - first;
  color = uvec4(texelFetch(source, from, 0).rgb, 1u);
  uint inside = (p.x > first.x ? 1u : 0u) | (p.x < last.x ? 2u : 0u) | (p.y > first.y ? 4u : 0u) | (p.y < last.y ? 8u : 0u);
  fact = uvec2(patchConfidence(first, last), uint(from.y * size.x + from.x) | (inside << 28));
}
