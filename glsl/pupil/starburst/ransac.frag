// RANSAC (paper 000, section 2.2): each fragment fits a circle to one random set of five border points and counts the
// points near it. FIT and COUNT: the two halves as separate passes, for lab/pupil/ladder.
#include "state.glsl"
#include "circle.glsl"
uniform usampler2D list;
uniform int rows;
#ifndef COUNT
uniform usampler2D table;
#else
uniform usampler2D fits;
#endif
uniform vec2 radii;
uniform float voteDistance;
out uvec4 circle;

vec2 point(int index, int search) {
  return uintBitsToFloat(texelFetch(list, ivec2(index + 1, search), 0).xy);
}

void main() {
  ivec2 p = ivec2(gl_FragCoord.xy);
  int search = p.y / rows;
  if (!running(search)) discard;
  circle = uvec4(0u);
  int count = int(texelFetch(list, ivec2(0, search), 0).x);
  if (count < 5) return;
#ifdef COUNT
  vec3 fit = uintBitsToFloat(texelFetch(fits, p, 0).xyz);
#else
  // Five numbers of 24 bits in one texel, the fifth in the high bytes of the first three.
  uvec4 drawn = texelFetch(table, ivec2(p.x, p.y - search * rows), 0);
  uint fifth = (drawn.x >> 24) | ((drawn.y >> 24) << 8) | ((drawn.z >> 24) << 16);
  ivec4 i = ivec4(vec4(drawn & 0xffffffu) * (1.0 / 16777216.0) * float(count));
  int i4 = int(float(fifth) * (1.0 / 16777216.0) * float(count));
  vec3 fit = taubin(point(i.x, search), point(i.y, search), point(i.z, search), point(i.w, search), point(i4, search));
#endif
  uint votes = 0u;
#ifndef FIT
  if (!(fit.z >= radii.x && fit.z <= radii.y)) return;
  float inner = max(fit.z - voteDistance, 0.0);
  float outer = fit.z + voteDistance;
  inner *= inner;
  outer *= outer;
  for (int k = 0; k < count; k++) {
    vec2 d = point(k, search) - fit.xy;
    float square = d.x * d.x + d.y * d.y;
    votes += uint(square > inner && square < outer);
  }
#endif
  circle = uvec4(floatBitsToUint(fit), votes);
}
