// The responses of up to five scales, each times its weight, as half floats, eight pixels per texel.
uniform isampler2D scale0;
uniform isampler2D scale1;
uniform isampler2D scale2;
uniform isampler2D scale3;
uniform isampler2D scale4;
uniform int widths[5];
uniform int halvings[5];
uniform float weights[5];
uniform int width;
out uvec4 halves;

#include "./enlarge.glsl"

float one(isampler2D source, int i, ivec2 p) {
  return weights[i] == 0.0 ? 0.0 : weights[i] * enlarged(source, widths[i], halvings[i], p);
}

float total(ivec2 p) {
  if (p.x >= width) return 0.0;
  return one(scale0, 0, p) + one(scale1, 1, p) + one(scale2, 2, p) + one(scale3, 3, p) + one(scale4, 4, p);
}

uint two(int x, int y) {
  return packHalf2x16(vec2(total(ivec2(x, y)), total(ivec2(x + 1, y))));
}

void main() {
  ivec2 p = ivec2(gl_FragCoord.xy);
  int x = 8 * p.x;
  halves = uvec4(two(x, p.y), two(x + 2, p.y), two(x + 4, p.y), two(x + 6, p.y));
}
