// Laplacians of the three Sobel derivatives as IH, IV and ID, and the eigenvalues.
uniform sampler2D source;
uniform int ordered;
layout(location = 0) out float lambda1;
layout(location = 1) out float lambda2;

#include "./solve.glsl"

vec4 at(ivec2 p) {
  return texelFetch(source, clamp(p, ivec2(0), textureSize(source, 0) - 1), 0);
}

void main() {
  ivec2 p = ivec2(gl_FragCoord.xy);
  vec4 twice = 2.0 * at(p);
  vec4 h = at(p + ivec2(1, 0)) - twice + at(p - ivec2(1, 0)) + (at(p + ivec2(0, 1)) - twice + at(p - ivec2(0, 1)));
  solve(h.x, h.y, h.z, ordered, lambda1, lambda2);
}
