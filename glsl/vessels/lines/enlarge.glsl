// A response of integers, four pixels per texel and `width` per row, interpolated between the centers of blocks of
// 2^halvings pixels.
float sampleAt(isampler2D source, ivec2 p) {
  return float(texelFetch(source, ivec2(p.x >> 2, p.y), 0)[p.x & 3]);
}

float enlarged(isampler2D source, int width, int halvings, ivec2 p) {
  if (halvings == 0) return sampleAt(source, p);
  ivec2 last = ivec2(width, textureSize(source, 0).y) - 1;
  vec2 u = clamp((vec2(p) + 0.5) / float(1 << halvings) - 0.5, vec2(0.0), vec2(last));
  ivec2 a = ivec2(u);
  ivec2 b = min(a + 1, last);
  vec2 w = u - vec2(a);
  vec2 rows = mix(
    vec2(sampleAt(source, a), sampleAt(source, ivec2(b.x, a.y))),
    vec2(sampleAt(source, ivec2(a.x, b.y)), sampleAt(source, b)),
    w.y
  );
  return mix(rows.x, rows.y, w.x);
}
