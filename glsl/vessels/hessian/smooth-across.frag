// Horizontal Gaussian, four pixels per texel: the texel at offset j to the right has the weight matrix taps[reach + j].
// The border is replicated.
uniform sampler2D source;
uniform int reach;
uniform int width;
uniform mat4 taps[49];
out vec4 smoothed;

#include "./row-end.glsl"

void main() {
  ivec2 p = ivec2(gl_FragCoord.xy);
  int end = (width - 1) >> 2;
  vec4 sum = vec4(0.0);
  for (int j = -reach; j <= reach; j++) {
    int x = p.x + j;
    vec4 v = texelFetch(source, ivec2(clamp(x, 0, end), p.y), 0);
    if (x < 0) v = vec4(v.x);
    else if (x >= end) v = repeated(v, x, width);
    sum += taps[reach + j] * v;
  }
  smoothed = sum;
}
