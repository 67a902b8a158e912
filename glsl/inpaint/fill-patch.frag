// The patch after filling: color with 1 for new pixels, confidence and origin (see assembly/inpaint/fill.ts).
#include "patch.glsl"
uniform usampler2D source;
// Output of fill-log.frag for entry n.
uniform usampler2D entries;
uniform int n;
layout(location = 0) out uvec4 color;
layout(location = 1) out uvec2 fact;

uint patchConfidence(ivec2 c, ivec2 first, ivec2 last) {
  uvec2 sum = uvec2(0u);
  for (int y = first.y; y <= last.y; y++) sum += confidencesOf(rowAt(ivec2(c.x, y)));
  return meanConfidence(sum, areaOf(first, last));
}

void main() {
  color = uvec4(0u);
  fact = uvec2(0u);
  uvec4 entry = texelFetch(entries, ivec2(n, 0), 0);
  if (entry.z == 0xffffffffu) return;
  ivec2 size = textureSize(image, 0);
  ivec2 c = ivec2(int(entry.x) % size.x, int(entry.x) / size.x);
  ivec2 first = max(c - reach, 0);
  ivec2 last = min(c + reach, size - 1);
  ivec2 p = first + ivec2(gl_FragCoord.xy);
  if (any(greaterThan(p, last)) || !isHole(p)) return;
  ivec2 from = ivec2(int(entry.y) % size.x, int(entry.y) / size.x) + p - first;
  color = uvec4(texelFetch(source, from, 0).rgb, 1u);
  uint inside = (p.x > first.x ? 1u : 0u) | (p.x < last.x ? 2u : 0u) | (p.y > first.y ? 4u : 0u) | (p.y < last.y ? 8u : 0u);
  fact = uvec2(patchConfidence(c, first, last), uint(from.y * size.x + from.x) | (inside << 28));
}
