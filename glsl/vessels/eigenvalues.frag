// Second differences of the smoothed image, packed four pixels a texel, and the eigenvalues of the Hessian.
uniform sampler2D source;
uniform int width;
uniform int ordered;
layout(location = 0) out float lambda1;
layout(location = 1) out float lambda2;

#include "./solve.glsl"

// The samples west of, at and east of x in row y.
vec3 around(int x, int y) {
  int last = width - 1;
  int west = max(x - 1, 0);
  int east = min(x + 1, last);
  vec4 here = texelFetch(source, ivec2(x >> 2, y), 0);
  float w = (west >> 2) == (x >> 2) ? here[west & 3] : texelFetch(source, ivec2(west >> 2, y), 0).w;
  float e = (east >> 2) == (x >> 2) ? here[east & 3] : texelFetch(source, ivec2(east >> 2, y), 0).x;
  return vec3(w, here[x & 3], e);
}

void main() {
  ivec2 p = ivec2(gl_FragCoord.xy);
  vec3 a = around(p.x, max(p.y - 1, 0));
  vec3 b = around(p.x, p.y);
  vec3 c = around(p.x, min(p.y + 1, textureSize(source, 0).y - 1));
  vec2 lambda = solve(b.z - 2.0 * b.y + b.x, c.y - 2.0 * b.y + a.y, 0.25 * (c.z - c.x + (a.x - a.z)), ordered);
  lambda1 = lambda.x;
  lambda2 = lambda.y;
}
