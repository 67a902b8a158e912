// The end of a round: the center of the best circle is the next start. Converged if it moved less than `epsilon`.
#include "state.glsl"
uniform usampler2D list;
uniform usampler2D best;
uniform ivec4 region;
uniform int iterations;
uniform float epsilon;
uniform int paper;
out uvec4 result;

void main() {
  ivec2 p = ivec2(gl_FragCoord.xy);
  result = texelFetch(state, p, 0);
  if (p.x == 2 || !running(p.y)) return;
  uvec4 place = texelFetch(state, ivec2(0, p.y), 0);
  uint rounds = texelFetch(state, ivec2(1, p.y), 0).z + 1u;
  uvec2 header = texelFetch(list, ivec2(0, p.y), 0).xy;
  uvec4 winner = uvec4(0u);
  int rows = textureSize(best, 0).x;
  for (int i = 0; i < rows; i++) {
    uvec4 circle = texelFetch(best, ivec2(i, p.y), 0);
    if (circle.w > winner.w) winner = circle;
  }
  uint status = RUNNING;
  vec2 center = uintBitsToFloat(winner.xy);
  vec2 moved = center - uintBitsToFloat(place.xy);
  if (header.y != 0u) status = ESCAPED;
  else if (header.x < 5u || winner.w == 0u) status = FAILED;
  else if (paper == 0 && winner.w * 4u < header.x) status = FAILED;
  else if (any(lessThan(center, vec2(region.xy))) || any(greaterThanEqual(center, vec2(region.zw)))) status = FAILED;
  else if (moved.x * moved.x + moved.y * moved.y < epsilon * epsilon) status = CONVERGED;
  else if (int(rounds) >= iterations) status = CONVERGED;
  // A search that escaped is repeated elsewhere from its current position.
  if (status == ESCAPED) winner = uvec4(place.xy, 0u, 0u);
  result = p.x == 0 ? winner : uvec4(status, header.x, rounds, 0u);
}
