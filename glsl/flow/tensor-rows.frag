// Products of the derivatives, summed across the window: xx, xy, yy. Outside of the image nothing is added.
uniform isampler2D gradient;
uniform int reach;
out vec4 sums;

void main() {
  ivec2 p = ivec2(gl_FragCoord.xy);
  int from = max(p.x - reach, 0);
  int to = min(p.x + reach, textureSize(gradient, 0).x - 1);
  vec3 sum = vec3(0.0);
  for (int x = from; x <= to; x++) {
    vec2 g = vec2(texelFetch(gradient, ivec2(x, p.y), 0).rg) / 32.0;
    sum += vec3(g.x * g.x, g.x * g.y, g.y * g.y);
  }
  sums = vec4(sum, 0.0);
}
