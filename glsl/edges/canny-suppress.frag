// Non-maximum suppression and double threshold with OpenCV's rule: sectors by the tangent 13573 / 32768, magnitude 0
// outside the image. SQUARED: magnitudes and thresholds are dx^2 + dy^2. A pixel that is kept gets marks.x, or marks.y
// if its magnitude is greater than `high`.
uniform isampler2D gradient;
uniform int low;
uniform int high;
uniform uvec2 marks;
out uint mark;

ivec2 size;

int magnitude(ivec2 g) {
#ifdef SQUARED
  return g.x * g.x + g.y * g.y;
#else
  return abs(g.x) + abs(g.y);
#endif
}

int at(ivec2 p) {
  bool inside = all(greaterThanEqual(p, ivec2(0))) && all(lessThan(p, size));
  return inside ? magnitude(texelFetch(gradient, p, 0).rg) : 0;
}

void main() {
  ivec2 p = ivec2(gl_FragCoord.xy);
  size = textureSize(gradient, 0);
  ivec2 g = texelFetch(gradient, p, 0).rg;
  int m = magnitude(g);
  mark = 0u;
  if (m <= low) return;
  ivec2 a = abs(g);
  ivec2 step = ivec2((g.x < 0) != (g.y < 0) ? -1 : 1, 1);
  // Along the axes the second neighbor may be equal.
  int slack = 0;
  if (a.y * 32768 < a.x * 13573) {
    step = ivec2(1, 0);
    slack = 1;
  } else if (a.y * 32768 > a.x * 79109) {
    step = ivec2(0, 1);
    slack = 1;
  }
  if (m > at(p - step) && m + slack > at(p + step)) mark = m > high ? marks.y : marks.x;
}
