// Terms of a sample's linear system: the weights to its four neighbors (right, left, below, above), and the derivatives
// and their right-hand side, multiplied by the square root of the data term's weight.
#include "refine-pairs.glsl"
uniform sampler2D warped;
uniform sampler2D weights;
uniform sampler2D flow;
uniform float robust;
layout(location = 0) out vec4 around;
layout(location = 1) out vec4 data;

void main() {
  ivec2 p = ivec2(gl_FragCoord.xy);
  ivec2 last = textureSize(warped, 0) - 1;
  // The border is replicated.
  ivec2 before = max(p - 1, ivec2(0));
  ivec2 behind = min(p + 1, last);
  float a = texelFetch(warped, before, 0).r;
  float b = texelFetch(warped, ivec2(p.x, before.y), 0).r;
  float c = texelFetch(warped, ivec2(behind.x, before.y), 0).r;
  float d = texelFetch(warped, ivec2(before.x, p.y), 0).r;
  float e = texelFetch(warped, ivec2(behind.x, p.y), 0).r;
  float f = texelFetch(warped, ivec2(before.x, behind.y), 0).r;
  float g = texelFetch(warped, ivec2(p.x, behind.y), 0).r;
  float h = texelFetch(warped, behind, 0).r;
  vec2 slope = vec2(3.0 * (c + h - a - f) + 10.0 * (e - d), 3.0 * (f + h - a - c) + 10.0 * (g - b)) / 32.0;
  float difference = texelFetch(warped, p, 0).g;
  vec2 own = texelFetch(weights, p, 0).rg;
  around = vec4(
    own.x,
    p.x > 0 ? texelFetch(weights, p - ivec2(1, 0), 0).r : 0.0,
    own.y,
    p.y > 0 ? texelFetch(weights, p - ivec2(0, 1), 0).g : 0.0
  );
  data = vec4(0.0);
  if (difference > 1e29) return;
  float root = inversesqrt(sqrt(difference * difference + robust * robust));
  data = root * vec4(slope, difference + dot(slope, flowAt(flow, p.x, p.y)), 0.0);
}
