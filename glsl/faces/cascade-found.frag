// Data for the read-back: the counters in the first row, then the positions of the windows that passed, four per texel.
#include "../image/nth-flag.glsl"
uniform usampler2D counts;
uniform usampler2D counters;
uniform int counter;
#ifdef FROM_LIST
uniform usampler2D list;
#endif
uniform int width;
out uvec4 found;

void main() {
  ivec2 p = ivec2(gl_FragCoord.xy);
  int first = 4 * ((p.y - 1) * width + p.x);
  int known = textureSize(counters, 0).x;
  int total = int(texelFetch(counters, ivec2(counter, 0), 0).r);
  uvec4 words = uvec4(0u);
  for (int i = 0; i < 4; i++) {
    if (p.y == 0) {
      if (4 * p.x + i < known) words[i] = texelFetch(counters, ivec2(4 * p.x + i, 0), 0).r;
    } else if (first + i < total) {
      int from = nthFlag(counts, uint(first + i) + 1u);
#ifdef FROM_LIST
      int across = textureSize(list, 0).x;
      words[i] = texelFetch(list, ivec2(from % across, from / across), 0).r;
#else
      words[i] = uint(from);
#endif
    }
  }
  found = words;
}
