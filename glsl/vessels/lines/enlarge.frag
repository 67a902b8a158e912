// Response of one scale at the size of the working plane, times its weight.
uniform isampler2D source;
uniform int width;
uniform int halvings;
uniform float weight;
out float response;

#include "./enlarge.glsl"

void main() {
  response = weight * enlarged(source, width, halvings, ivec2(gl_FragCoord.xy));
}
