// The best match as (x, y, distance) in a row of three. -1 without a match.
#include "reduce.glsl"
uniform int width;
out int value;

void main() {
  uvec2 n = nearestOf(ivec2(0));
  int i = int(gl_FragCoord.x);
  value = n.x == 0xffffffffu ? -1 : i == 0 ? int(n.y) % width : i == 1 ? int(n.y) / width : int(n.x);
}
