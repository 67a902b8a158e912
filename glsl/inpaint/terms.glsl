// Front and the two terms of its priority, as in assembly/inpaint/terms.ts, in integers throughout.
#include "patch.glsl"
uniform uint inverse[33];

int holeAt(ivec2 p) {
  return isHole(p) ? 1 : 0;
}

// (confidence, data) at p. Zeros outside the front.
uvec2 termsAt(ivec2 p) {
  bool front = !(isHole(p + ivec2(1, 0)) && isHole(p - ivec2(1, 0)) && isHole(p + ivec2(0, 1)) && isHole(p - ivec2(0, 1)));
  if (!isHole(p) || !front) return uvec2(0u);
  ivec2 first = max(p - reach, 0);
  ivec2 last = min(p + reach, textureSize(image, 0) - 1);
  uvec2 strongest = uvec2(0u, 0x80008000u);
  uvec2 sum = uvec2(0u);
  for (int y = first.y; y <= last.y; y++) {
    uvec4 row = rowAt(ivec2(p.x, y));
    if (row.x > strongest.x) strongest = row.xy;
    sum += confidencesOf(row);
  }
  ivec2 gradient = ivec2(strongest.y >> 16, strongest.y & 0xffffu) - 32768;
  ivec2 normal = ivec2(0);
  for (int t = -1; t <= 1; t++) {
    int weight = 2 - abs(t);
    normal.x += weight * (holeAt(p + ivec2(1, t)) - holeAt(p + ivec2(-1, t)));
    normal.y += weight * (holeAt(p + ivec2(t, 1)) - holeAt(p + ivec2(t, -1)));
  }
  uint along = uint(abs(gradient.x * normal.y - gradient.y * normal.x));
  uint confidence = meanConfidence(sum, areaOf(first, last));
  return uvec2(confidence, along * inverse[normal.x * normal.x + normal.y * normal.y]);
}
