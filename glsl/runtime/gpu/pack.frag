// Packs a one-channel texture into RGBA32UI words, for a read-back in a format that every device supports. A word
// contains PER_WORD samples (4, 2 or 1), so a texel contains 4 * PER_WORD samples of a row, lowest address first.
uniform SAMPLER source;
uniform int width;
out uvec4 words;

uint sampleBits(int x, int y) {
  if (x >= width) return 0u;
#ifdef IS_FLOAT
  return floatBitsToUint(texelFetch(source, ivec2(x, y), 0).r);
#else
  return uint(texelFetch(source, ivec2(x, y), 0).r);
#endif
}

uint word(int x, int y) {
#if PER_WORD == 4
  return sampleBits(x, y) | (sampleBits(x + 1, y) << 8) | (sampleBits(x + 2, y) << 16) | (sampleBits(x + 3, y) << 24);
#elif PER_WORD == 2
  return (sampleBits(x, y) & 0xffffu) | (sampleBits(x + 1, y) << 16);
#else
  return sampleBits(x, y);
#endif
}

void main() {
  ivec2 p = ivec2(gl_FragCoord.xy);
  int x = p.x * 4 * PER_WORD;
  words = uvec4(word(x, p.y), word(x + PER_WORD, p.y), word(x + 2 * PER_WORD, p.y), word(x + 3 * PER_WORD, p.y));
}
