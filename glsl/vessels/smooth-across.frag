// Gaussian across, four pixels a texel; samples left and right of the image are its first and last. taps beyond the
// radius are 0.
uniform sampler2D source;
uniform int radius;
uniform int width;
uniform float taps[104];
out vec4 smoothed;

void main() {
  ivec2 p = ivec2(gl_FragCoord.xy);
  int last = width - 1;
  int x = 4 * p.x;
  float left = texelFetch(source, ivec2(0, p.y), 0).x;
  float right = texelFetch(source, ivec2(last >> 2, p.y), 0)[last & 3];
  vec4 sum = vec4(0.0);
  for (int j = (x - radius) >> 2; j <= (x + 3 + radius) >> 2; j++) {
    vec4 v = texelFetch(source, ivec2(clamp(j, 0, last >> 2), p.y), 0);
    for (int s = 0; s < 4; s++) {
      int n = 4 * j + s;
      float value = n < 0 ? left : n > last ? right : v[s];
      int d = n - x;
      sum += value * vec4(taps[abs(d)], taps[abs(d - 1)], taps[abs(d - 2)], taps[abs(d - 3)]);
    }
  }
  smoothed = sum;
}
