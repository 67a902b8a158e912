// The nearest candidates of blocks.
#include "reduce.glsl"
out uvec2 nearest;

void main() {
  nearest = nearestOf(ivec2(gl_FragCoord.xy) * CANDIDATES);
}
