// Flow of each pixel, and 1 if its window was found. 0 if it was lost or is too far outside.
#include "windows-fixed.glsl"
uniform sampler2D before;
uniform int window;
out vec4 found;

void main() {
  vec4 state = texelFetch(before, ivec2(gl_FragCoord.xy), 0);
  float reach = float(window >> 1);
  vec2 place = placeOf(state, reach);
  bool good = state.z < LOST && !outOfReach(place - reach, window, textureSize(before, 0));
  found = good ? vec4(place - floor(gl_FragCoord.xy), 1.0, 0.0) : vec4(0.0);
}
