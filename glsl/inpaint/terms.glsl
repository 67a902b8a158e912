// Front and the two terms of its priority in one pass, as assembly/inpaint/terms.ts, in integers throughout.
#include "patch.glsl"
uniform uint inverse[33];

int holeAt(ivec2 p) {
  return isHole(p) ? 1 : 0;
}

int grayOf(uvec4 c) {
  return int((9798u * c.r + 19235u * c.g + 3735u * c.b + 16384u) >> 15);
}

// Doubled central differences, 0 where one of the five pixels is not known.
ivec2 gradientAt(ivec2 p) {
  ivec2 size = textureSize(image, 0);
  if (any(lessThan(p, ivec2(1))) || any(greaterThan(p, size - 2)) || isHole(p)) return ivec2(0);
  uvec4 left = texelFetch(image, p - ivec2(1, 0), 0);
  uvec4 right = texelFetch(image, p + ivec2(1, 0), 0);
  uvec4 above = texelFetch(image, p - ivec2(0, 1), 0);
  uvec4 below = texelFetch(image, p + ivec2(0, 1), 0);
  if (left.a * right.a * above.a * below.a == 0u) return ivec2(0);
  return ivec2(grayOf(right) - grayOf(left), grayOf(below) - grayOf(above));
}

// (confidence, data) at p; zeros outside the front.
uvec2 termsAt(ivec2 p) {
  bool front = !(isHole(p + ivec2(1, 0)) && isHole(p - ivec2(1, 0)) && isHole(p + ivec2(0, 1)) && isHole(p - ivec2(0, 1)));
  if (!isHole(p) || !front) return uvec2(0u);
  ivec2 first = max(p - reach, 0);
  ivec2 last = min(p + reach, textureSize(image, 0) - 1);
  ivec2 gradient = ivec2(0);
  int strongest = 0;
  for (int y = first.y; y <= last.y; y++)
    for (int x = first.x; x <= last.x; x++) {
      ivec2 g = gradientAt(ivec2(x, y));
      int square = g.x * g.x + g.y * g.y;
      if (square <= strongest) continue;
      strongest = square;
      gradient = g;
    }
  ivec2 normal = ivec2(0);
  for (int t = -1; t <= 1; t++) {
    int weight = 2 - abs(t);
    normal.x += weight * (holeAt(p + ivec2(1, t)) - holeAt(p + ivec2(-1, t)));
    normal.y += weight * (holeAt(p + ivec2(t, 1)) - holeAt(p + ivec2(t, -1)));
  }
  uint along = uint(abs(gradient.x * normal.y - gradient.y * normal.x));
  return uvec2(patchConfidence(first, last), along * inverse[normal.x * normal.x + normal.y * normal.y]);
}
