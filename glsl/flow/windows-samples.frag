// Gray level and Scharr derivatives of each sample of a level, with the frame reflected at its border.
#include "windows-fixed.glsl"
uniform usampler2D source;
out ivec4 samples;

int at(ivec2 p) {
  ivec2 size = textureSize(source, 0);
  return int(texelFetch(source, ivec2(mirrored(p.x, size.x), mirrored(p.y, size.y)), 0).r);
}

void main() {
  ivec2 p = ivec2(gl_FragCoord.xy);
  int a = at(p + ivec2(-1, -1)), b = at(p + ivec2(0, -1)), c = at(p + ivec2(1, -1));
  int d = at(p + ivec2(-1, 0)), f = at(p + ivec2(1, 0));
  int g = at(p + ivec2(-1, 1)), h = at(p + ivec2(0, 1)), i = at(p + ivec2(1, 1));
  samples = ivec4(at(p), 3 * (c + i - a - g) + 10 * (f - d), 3 * (g + i - a - c) + 10 * (h - b), 0);
}
