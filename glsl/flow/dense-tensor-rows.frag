// Products of the derivatives, summed across the window: xx, xy, yy. Outside of the image nothing is added.
uniform isampler2D gradient;
uniform int width;
uniform int reach;
out vec4 sums;

vec3 products(ivec2 pair) {
  vec2 g = vec2(pair) / 32.0;
  return vec3(g.x * g.x, g.x * g.y, g.y * g.y);
}

void main() {
  ivec2 p = ivec2(gl_FragCoord.xy);
  int from = max(p.x - reach, 0);
  int to = min(p.x + reach, width - 1);
  vec3 sum = vec3(0.0);
  for (int x = from >> 1; x <= to >> 1; x++) {
    ivec4 pair = texelFetch(gradient, ivec2(x, p.y), 0);
    if (2 * x >= from) sum += products(pair.xy);
    if (2 * x + 1 <= to) sum += products(pair.zw);
  }
  sums = vec4(sum, 0.0);
}
