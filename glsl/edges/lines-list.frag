// Entry i of the list of peaks: the position of flag i + 1 in row-major order, and its votes. Votes are 0 after the
// last entry.
#include "../image/nth-flag.glsl"
uniform usampler2D counts;
uniform isampler2D votes;
uniform int entries;
uniform int columns;
out uvec2 entry;

void main() {
  ivec2 p = ivec2(gl_FragCoord.xy);
  int i = p.y * columns + p.x;
  entry = uvec2(0u);
  if (i >= entries) return;
  int place = nthFlag(counts, uint(i) + 1u);
  int across = textureSize(votes, 0).x;
  entry = uvec2(place, texelFetch(votes, ivec2(place % across, place / across), 0).r);
}
