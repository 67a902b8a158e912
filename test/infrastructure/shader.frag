#version 300 es
// Not a pass of the package: the test of tools/glsl-plugin.mjs.
precision highp float;
#include "lib/half.glsl"
#include "lib/half.glsl"
out vec4 color; /* two
lines */
#define DOUBLE(x) ( 2.0 * (x) )
void main() {
  float one = DOUBLE( half_() );
  color = vec4( one - -0.0, 0.0 + 0.0, 1.0 / 2.0, 1.0 );
}
