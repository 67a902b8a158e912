// Scharr derivatives, 32 times gray levels a pixel, border replicated: x and y in one texel.
uniform usampler2D source;
out ivec2 gradient;

ivec2 last;

int at(ivec2 p) {
  return int(texelFetch(source, clamp(p, ivec2(0), last), 0).r);
}

void main() {
  ivec2 p = ivec2(gl_FragCoord.xy);
  last = textureSize(source, 0) - 1;
  int a = at(p + ivec2(-1, -1)), b = at(p + ivec2(0, -1)), c = at(p + ivec2(1, -1));
  int d = at(p + ivec2(-1, 0)), f = at(p + ivec2(1, 0));
  int g = at(p + ivec2(-1, 1)), h = at(p + ivec2(0, 1)), i = at(p + ivec2(1, 1));
  gradient = ivec2(3 * (c + i - a - g) + 10 * (f - d), 3 * (g + i - a - c) + 10 * (h - b));
}
