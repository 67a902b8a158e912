// Vertical Gaussian, four pixels per texel, border replicated. Row 0 of the target is row `first` of the image. Rows
// beyond the image repeat its first and last.
uniform SAMPLER source;
uniform int first;
uniform int radius;
uniform float taps[97];
out vec4 sums;

vec4 at(int x, int y) {
  return vec4(texelFetch(source, ivec2(x, clamp(y, 0, textureSize(source, 0).y - 1)), 0));
}

void main() {
  ivec2 p = ivec2(gl_FragCoord.xy);
  int y = clamp(p.y + first, 0, textureSize(source, 0).y - 1);
  vec4 sum = taps[0] * at(p.x, y);
  for (int i = 1; i <= radius; i++) sum += taps[i] * (at(p.x, y - i) + at(p.x, y + i));
  sums = sum;
}
