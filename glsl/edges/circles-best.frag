// The best of 16x16 entries of circles-votes.frag: maximum votes, the first in order among equals.
uniform usampler2D entries;
out uvec2 best;

void main() {
  ivec2 origin = 16 * ivec2(gl_FragCoord.xy);
  ivec2 end = min(textureSize(entries, 0) - origin, ivec2(16));
  best = uvec2(0u, 0xffffffffu);
  for (int y = 0; y < end.y; y++)
    for (int x = 0; x < end.x; x++) {
      uvec2 entry = texelFetch(entries, origin + ivec2(x, y), 0).rg;
      if (entry.x > best.x || (entry.x == best.x && entry.y < best.y)) best = entry;
    }
}
