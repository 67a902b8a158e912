// The end of the finest level: flow, confidence and validity in one texel. `rows`: squared residuals summed across.
uniform sampler2D rows;
uniform sampler2D inverse;
uniform sampler2D flow;
uniform int reach;
out vec4 judged;

void main() {
  ivec2 p = ivec2(gl_FragCoord.xy);
  ivec2 size = textureSize(rows, 0);
  int from = max(p.y - reach, 0);
  int to = min(p.y + reach, size.y - 1);
  float sum = 0.0;
  for (int y = from; y <= to; y++) sum += texelFetch(rows, ivec2(p.x, y), 0).r;
  int window = 2 * reach + 1;
  vec4 m = texelFetch(inverse, p, 0);
  vec2 u = texelFetch(flow, p, 0).rg;
  vec2 place = vec2(p) + u;
  bool good = m.x != 0.0 && place == clamp(place, vec2(0.0), vec2(size - 1));
  float confidence = good ? m.w / (m.w + sum / float(window * window)) : 0.0;
  judged = vec4(u, confidence, good ? 1.0 : 0.0);
}
