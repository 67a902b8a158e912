// The initial state of searches: (x, y, reach, threshold) and the number of previous rounds.
uniform vec4 starts[32];
uniform float rounds[32];
out uvec4 result;

void main() {
  ivec2 p = ivec2(gl_FragCoord.xy);
  vec4 start = starts[p.y];
  if (p.x == 0) result = uvec4(floatBitsToUint(start.xy), 0u, 0u);
  else if (p.x == 1) result = uvec4(0u, 0u, uint(rounds[p.y]), 0u);
  else result = uvec4(start.zw, 0u, 0u);
}
