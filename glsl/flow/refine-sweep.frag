// One half of a relaxation: of two neighbors in a texel, the one with this checkerboard color changes. Its four
// neighbors have the other color.
uniform sampler2D flow;
uniform sampler2D around;
uniform sampler2D data;
uniform int width;
uniform int color;
uniform float omega;
out vec4 relaxed;

void main() {
  ivec2 p = ivec2(gl_FragCoord.xy);
  vec4 pair = texelFetch(flow, p, 0);
  relaxed = pair;
  bool second = ((p.y ^ color) & 1) == 1;
  ivec2 at = ivec2(2 * p.x + (second ? 1 : 0), p.y);
  if (at.x >= width) return;
  ivec2 last = textureSize(flow, 0) - 1;
  vec4 weights = texelFetch(around, at, 0);
  vec3 g = texelFetch(data, at, 0).rgb;
  // Samples outside have weight 0.
  vec4 beside = texelFetch(flow, ivec2(clamp(p.x + (second ? 1 : -1), 0, last.x), p.y), 0);
  vec4 above = texelFetch(flow, ivec2(p.x, max(p.y - 1, 0)), 0);
  vec4 below = texelFetch(flow, ivec2(p.x, min(p.y + 1, last.y)), 0);
  vec2 own = second ? pair.zw : pair.xy;
  vec2 sum = second
    ? weights.x * beside.xy + weights.y * pair.xy + weights.z * below.zw + weights.w * above.zw
    : weights.x * pair.zw + weights.y * beside.zw + weights.z * below.xy + weights.w * above.xy;
  sum += g.z * g.xy;
  // (xx + w) (yy + w) - xy^2, as xx yy = xy^2.
  float total = dot(weights, vec4(1.0));
  vec2 square = g.xy * g.xy;
  float determinant = total * (total + square.x + square.y);
  vec2 solved = ((square.yx + total) * sum - g.x * g.y * sum.yx) / determinant;
  own += omega * (solved - own);
  relaxed = second ? vec4(pair.xy, own) : vec4(own, pair.zw);
}
