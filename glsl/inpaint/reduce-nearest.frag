// The nearest candidates of blocks of 8 x 8.
#include "reduce.glsl"
out uvec2 nearest;

void main() {
  nearest = nearestOf(ivec2(gl_FragCoord.xy) * 8);
}
