// The end of the finest level: flow, confidence and validity of one pixel in one texel. `rows`: squared residuals
// summed horizontally. Like the flow, they have two neighbors per texel.
uniform sampler2D rows;
uniform sampler2D inverse;
uniform sampler2D flow;
#ifdef FOUND
uniform sampler2D found;
#else
// 1: also valid if the tensor is singular, for a flow that was refined.
uniform int everywhere;
#endif
uniform int reach;
out vec4 judged;

void main() {
  ivec2 p = ivec2(gl_FragCoord.xy);
  ivec2 size = textureSize(inverse, 0);
  bool second = (p.x & 1) == 1;
  int from = max(p.y - reach, 0);
  int to = min(p.y + reach, size.y - 1);
  vec4 sum = vec4(0.0);
  for (int y = from; y <= to; y++) sum += texelFetch(rows, ivec2(p.x >> 1, y), 0);
  int window = 2 * reach + 1;
  float residual = (second ? sum.z : sum.x) / float(window * window);
  vec4 m = texelFetch(inverse, p, 0);
  vec4 pair = texelFetch(flow, ivec2(p.x >> 1, p.y), 0);
  vec2 u = second ? pair.zw : pair.xy;
#ifdef FOUND
  bool good = texelFetch(found, p, 0).z > 0.0;
#else
  vec2 place = vec2(p) + u;
  bool good = (everywhere != 0 || m.x != 0.0) && place == clamp(place, vec2(0.0), vec2(size - 1));
#endif
  judged = vec4(u, good && m.w > 0.0 ? m.w / (m.w + residual) : 0.0, good ? 1.0 : 0.0);
}
