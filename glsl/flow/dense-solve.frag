// Sums vertically over the window and solves, for two neighbors. If the tensor is singular, the flow is not changed. No
// component exceeds `limit`.
uniform sampler2D rows;
uniform sampler2D inverse;
uniform sampler2D flow;
uniform int reach;
uniform float limit;
out vec4 solved;

vec2 solution(int x, int y, vec2 sum, vec2 before) {
  vec3 m = texelFetch(inverse, ivec2(min(x, textureSize(inverse, 0).x - 1), y), 0).rgb;
  return m.x != 0.0 ? vec2(m.x * sum.x + m.y * sum.y, m.y * sum.x + m.z * sum.y) : before;
}

void main() {
  ivec2 p = ivec2(gl_FragCoord.xy);
  int from = max(p.y - reach, 0);
  int to = min(p.y + reach, textureSize(rows, 0).y - 1);
  vec4 sum = vec4(0.0);
  for (int y = from; y <= to; y++) sum += texelFetch(rows, ivec2(p.x, y), 0);
  int window = 2 * reach + 1;
  sum /= 32.0 * float(window * window);
  vec4 before = texelFetch(flow, p, 0);
  vec2 one = solution(2 * p.x, p.y, sum.xy, before.xy);
  vec2 two = solution(2 * p.x + 1, p.y, sum.zw, before.zw);
  solved = clamp(vec4(one, two), -limit, limit);
}
