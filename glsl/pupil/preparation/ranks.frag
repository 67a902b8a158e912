// For each sample of a box of prepared levels, four per texel: the number of thresholds first, first + stride, ... that
// it exceeds (paper 000, section 2.2). One byte shows for all of them whether it is dark. Sixteen samples per texel,
// low bytes first. PLAIN: one sample per texel.
uniform usampler2D levels;
uniform ivec2 origin;
uniform int first;
uniform int stride;
uniform int most;
out uvec4 ranks;

uint rank(uint level) {
  return uint(clamp((int(level) - first + stride - 1) / stride, 0, most));
}

void main() {
  ivec2 p = ivec2(gl_FragCoord.xy);
#ifdef PLAIN
  int x = origin.x + p.x;
  ranks = uvec4(rank(texelFetch(levels, ivec2(x >> 2, origin.y + p.y), 0)[x & 3]));
#else
  int x = origin.x + 16 * p.x;
  int end = textureSize(levels, 0).x - 1;
  uvec4 words = uvec4(0u);
  for (int k = 0; k < 5; k++) {
    uvec4 t = texelFetch(levels, ivec2(min((x >> 2) + k, end), origin.y + p.y), 0);
    for (int c = 0; c < 4; c++) {
      int i = 4 * k + c - (x & 3);
      if (i >= 0 && i < 16) words[i >> 2] |= rank(t[c]) << uint(8 * (i & 3));
    }
  }
  ranks = words;
#endif
}
