// Sums across the window; outside of the image nothing is added.
uniform sampler2D source;
uniform int reach;
out vec2 sums;

void main() {
  ivec2 p = ivec2(gl_FragCoord.xy);
  int from = max(p.x - reach, 0);
  int to = min(p.x + reach, textureSize(source, 0).x - 1);
  vec2 sum = vec2(0.0);
  for (int x = from; x <= to; x++) sum += texelFetch(source, ivec2(x, p.y), 0).rg;
  sums = sum;
}
