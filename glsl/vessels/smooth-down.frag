// Gaussian down the columns of an 8-bit image, four pixels a texel, border replicated.
uniform usampler2D source;
uniform int radius;
uniform float taps[104];
out vec4 sums;

void main() {
  ivec2 p = ivec2(gl_FragCoord.xy);
  int last = textureSize(source, 0).y - 1;
  vec4 sum = taps[0] * vec4(texelFetch(source, p, 0));
  for (int i = 1; i <= radius; i++) {
    uvec4 above = texelFetch(source, ivec2(p.x, max(p.y - i, 0)), 0);
    uvec4 below = texelFetch(source, ivec2(p.x, min(p.y + i, last)), 0);
    sum += taps[i] * vec4(above + below);
  }
  sums = sum;
}
