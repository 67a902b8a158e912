// Digits of the integer part of the gradient's magnitude, for counting: its high bits or, if these are `bucket`, its
// last three bits and 1, otherwise 0. SQUARED: the magnitude is the square root of dx^2 + dy^2. At most 2047.
uniform isampler2D gradient;
uniform int bucket;
out uint digit;

int magnitude(ivec2 g) {
#ifdef SQUARED
  int square = g.x * g.x + g.y * g.y;
  // Devices may round the root up or down.
  int root = int(sqrt(float(square)));
  if (root * root > square) root--;
  else if ((root + 1) * (root + 1) <= square) root++;
  return root;
#else
  return abs(g.x) + abs(g.y);
#endif
}

void main() {
  int m = magnitude(texelFetch(gradient, ivec2(gl_FragCoord.xy), 0).rg);
  digit = bucket < 0 ? uint(m >> 3) : m >> 3 == bucket ? uint(m & 7) + 1u : 0u;
}
