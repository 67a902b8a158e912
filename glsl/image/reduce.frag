// Sum, minimum and maximum of blocks of 8 x 8, in row order. FIRST reads samples, later passes read the triples.
uniform SAMPLER source;
out TRIPLE extremes;

void main() {
  ivec2 first = ivec2(gl_FragCoord.xy) * 8;
  ivec2 end = min(first + 8, textureSize(source, 0));
#ifdef FIRST
  TRIPLE total = texelFetch(source, first, 0).rrrr;
#else
  TRIPLE total = texelFetch(source, first, 0);
#endif
  total.x = ZERO;
  for (int y = first.y; y < end.y; y++)
    for (int x = first.x; x < end.x; x++) {
#ifdef FIRST
      TRIPLE v = texelFetch(source, ivec2(x, y), 0).rrrr;
#else
      TRIPLE v = texelFetch(source, ivec2(x, y), 0);
#endif
      total.x += v.x;
      total.y = min(total.y, v.y);
      total.z = max(total.z, v.z);
    }
  extremes = total;
}
