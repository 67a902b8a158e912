// Eigenvalues of the Hessian of a strip of the smoothed image, four pixels per texel. Row `first` of the target is the
// strip's second row.
uniform sampler2D source;
uniform int first;
uniform int width;
uniform int ordered;
layout(location = 0) out vec4 lambda1;
layout(location = 1) out vec4 lambda2;

#include "./second-differences.glsl"
#include "./solve.glsl"

void main() {
  ivec2 p = ivec2(gl_FragCoord.xy);
  vec4 xx, yy, xy;
  secondDifferences(source, p.x, p.y - first, width, xx, yy, xy);
  solve(xx, yy, xy, ordered, lambda1, lambda2);
}
