// Gradients for Canny as integers, border replicated. The default is Sobel 3x3. DERIVATIVE selects the first derivative
// of a Gaussian of sigma 1 as the taps -2 -19 -43 0 43 19 2 along one axis.
uniform usampler2D source;
out ivec2 gradient;

ivec2 last;

int at(ivec2 p) {
  return int(texelFetch(source, clamp(p, ivec2(0), last), 0).r);
}

void main() {
  ivec2 p = ivec2(gl_FragCoord.xy);
  last = textureSize(source, 0) - 1;
#ifdef DERIVATIVE
  ivec2 x = ivec2(1, 0), y = ivec2(0, 1);
  gradient = ivec2(
    43 * (at(p + x) - at(p - x)) + 19 * (at(p + 2 * x) - at(p - 2 * x)) + 2 * (at(p + 3 * x) - at(p - 3 * x)),
    43 * (at(p + y) - at(p - y)) + 19 * (at(p + 2 * y) - at(p - 2 * y)) + 2 * (at(p + 3 * y) - at(p - 3 * y)));
#else
  int a = at(p + ivec2(-1, -1)), b = at(p + ivec2(0, -1)), c = at(p + ivec2(1, -1));
  int d = at(p + ivec2(-1, 0)), f = at(p + ivec2(1, 0));
  int g = at(p + ivec2(-1, 1)), h = at(p + ivec2(0, 1)), i = at(p + ivec2(1, 1));
  gradient = ivec2(c + i - a - g + 2 * (f - d), g + i - a - c + 2 * (h - b));
#endif
}
