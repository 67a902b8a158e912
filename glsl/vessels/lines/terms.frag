// Terms of the Hessian of a strip of the smoothed image as integers, four pixels per texel. Row `first` of the target
// is the strip's second row.
uniform sampler2D source;
uniform int first;
uniform int width;
uniform float scale;
layout(location = 0) out ivec4 mean;
layout(location = 1) out ivec4 difference;
layout(location = 2) out ivec4 mixed;

#include "../hessian/second-differences.glsl"

ivec4 rounded(vec4 v) {
  return ivec4(clamp(roundEven(scale * v), -32768.0, 32767.0));
}

void main() {
  ivec2 p = ivec2(gl_FragCoord.xy);
  vec4 xx, yy, xy;
  secondDifferences(source, p.x, p.y - first, width, xx, yy, xy);
  mean = rounded(0.5 * (xx + yy));
  difference = rounded(0.5 * (xx - yy));
  mixed = rounded(xy);
}
