// The circle with the most votes in each row of sets. Ties are won by the earliest set, as on the CPU (WASM).
#include "state.glsl"
uniform usampler2D circles;
uniform int rows;
out uvec4 best;

void main() {
  ivec2 p = ivec2(gl_FragCoord.xy);
  if (!running(p.y)) discard;
  best = uvec4(0u);
  int columns = textureSize(circles, 0).x;
  for (int i = 0; i < columns; i++) {
    uvec4 circle = texelFetch(circles, ivec2(i, p.y * rows + p.x), 0);
    if (circle.w > best.w) best = circle;
  }
}
