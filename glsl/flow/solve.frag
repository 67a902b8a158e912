// Sums down the window and solves; where the tensor is singular the flow stays as it is. No component exceeds `limit`.
uniform sampler2D rows;
uniform sampler2D inverse;
uniform sampler2D flow;
uniform int reach;
uniform float limit;
out vec2 solved;

void main() {
  ivec2 p = ivec2(gl_FragCoord.xy);
  int from = max(p.y - reach, 0);
  int to = min(p.y + reach, textureSize(rows, 0).y - 1);
  vec2 sum = vec2(0.0);
  for (int y = from; y <= to; y++) sum += texelFetch(rows, ivec2(p.x, y), 0).rg;
  int window = 2 * reach + 1;
  sum /= 32.0 * float(window * window);
  vec3 m = texelFetch(inverse, p, 0).rgb;
  vec2 u = m.x != 0.0 ? vec2(m.x * sum.x + m.y * sum.y, m.y * sum.x + m.z * sum.y) : texelFetch(flow, p, 0).rg;
  solved = clamp(u, -limit, limit);
}
