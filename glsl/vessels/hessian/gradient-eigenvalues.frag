// Eigenvalues of the Hessian from gradients of gradients. Each gradient is the difference of the two neighbors, clamped
// to the image, divided by their distance.
uniform sampler2D source;
uniform int ordered;
layout(location = 0) out float lambda1;
layout(location = 1) out float lambda2;

#include "./solve.glsl"

float at(int x, int y) {
  return texelFetch(source, ivec2(x, y), 0).x;
}

float across(ivec2 p, int last) {
  int w = max(p.x - 1, 0), e = min(p.x + 1, last);
  return (at(e, p.y) - at(w, p.y)) / float(max(e - w, 1));
}

float down(ivec2 p, int last) {
  int n = max(p.y - 1, 0), s = min(p.y + 1, last);
  return (at(p.x, s) - at(p.x, n)) / float(max(s - n, 1));
}

void main() {
  ivec2 p = ivec2(gl_FragCoord.xy);
  ivec2 last = textureSize(source, 0) - 1;
  ivec2 nw = max(p - 1, ivec2(0)), se = min(p + 1, last);
  vec2 apart = vec2(max(se - nw, ivec2(1)));
  float xx = (across(ivec2(se.x, p.y), last.x) - across(ivec2(nw.x, p.y), last.x)) / apart.x;
  float yy = (down(ivec2(p.x, se.y), last.y) - down(ivec2(p.x, nw.y), last.y)) / apart.y;
  float xy = (across(ivec2(p.x, se.y), last.x) - across(ivec2(p.x, nw.y), last.x)) / apart.y;
  solve(xx, yy, xy, ordered, lambda1, lambda2);
}
