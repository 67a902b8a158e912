// Products of the derivatives, summed horizontally over the window: xx, xy, yy. Samples outside the image add nothing.
uniform isampler2D gradient;
uniform int width;
uniform int reach;
out vec4 sums;

void main() {
  ivec2 p = ivec2(gl_FragCoord.xy);
  int from = max(p.x - reach, 0);
  int to = min(p.x + reach, width - 1);
  vec3 sum = vec3(0.0);
  for (int x = from; x <= to; x++) {
    ivec4 pair = texelFetch(gradient, ivec2(x >> 1, p.y), 0);
    vec2 g = vec2((x & 1) == 0 ? pair.xy : pair.zw) / 32.0;
    sum += vec3(g.x * g.x, g.x * g.y, g.y * g.y);
  }
  sums = vec4(sum, 0.0);
}
