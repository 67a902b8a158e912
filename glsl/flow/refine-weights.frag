// Weights of the smoothness between a sample and its right and its lower neighbor, 0 at the border:
// smoothness / sqrt(|grad u|^2 + |grad v|^2 + even^2) / (1 + (step of I / edge)^2).
#include "refine-pairs.glsl"
uniform usampler2D previous;
uniform sampler2D flow;
uniform float smoothness;
uniform float even;
uniform float edge;
out vec2 weights;

float gray(ivec2 p) {
  return float(texelFetch(previous, p, 0).r);
}

void main() {
  ivec2 p = ivec2(gl_FragCoord.xy);
  ivec2 last = textureSize(previous, 0) - 1;
  ivec2 end = min(p + 1, last);
  vec2 here = flowAt(flow, p.x, p.y);
  vec2 across = flowAt(flow, end.x, p.y) - here;
  vec2 down = flowAt(flow, p.x, end.y) - here;
  float weight = smoothness / sqrt(dot(across, across) + dot(down, down) + even * even);
  vec2 steps = (vec2(gray(ivec2(end.x, p.y)), gray(ivec2(p.x, end.y))) - gray(p)) / edge;
  weights = vec2(lessThan(p, last)) * weight / (1.0 + steps * steps);
}
