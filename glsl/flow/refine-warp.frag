// The mean of I and J(x + u), whose derivatives are used in the data term, and I - J(x + u). The difference is 1e30 if
// x + u is outside.
#include "refine-pairs.glsl"
uniform usampler2D previous;
uniform usampler2D next;
uniform sampler2D flow;
out vec2 warped;

float at(int x, int y) {
  return float(texelFetch(next, ivec2(x, y), 0).r);
}

void main() {
  ivec2 p = ivec2(gl_FragCoord.xy);
  ivec2 size = textureSize(next, 0);
  vec2 place = vec2(p) + flowAt(flow, p.x, p.y);
  vec2 held = clamp(place, vec2(0.0), vec2(size - 1));
  ivec2 corner = min(ivec2(held), max(size - 2, 0));
  ivec2 other = min(corner + 1, size - 1);
  vec2 f = held - vec2(corner);
  float top = mix(at(corner.x, corner.y), at(other.x, corner.y), f.x);
  float low = mix(at(corner.x, other.y), at(other.x, other.y), f.x);
  float moved = mix(top, low, f.y);
  float gray = float(texelFetch(previous, p, 0).r);
  warped = vec2(0.5 * (gray + moved), place == held ? gray - moved : 1e30);
}
