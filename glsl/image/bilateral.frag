// Bilateral filter in integers, border replicated: weights are bytes, four per word. range: by the difference of gray
// levels. space: by the vertical and horizontal distance, 8 per row.
uniform usampler2D source;
uniform int radius;
uniform uint range[64];
uniform uint space[16];
out uint smoothed;

void main() {
  ivec2 p = ivec2(gl_FragCoord.xy);
  ivec2 last = textureSize(source, 0) - 1;
  uint middle = texelFetch(source, p, 0).r;
  uint weights = 0u;
  uint sum = 0u;
  for (int y = -radius; y <= radius; y++)
    for (int x = -radius; x <= radius; x++) {
      uint v = texelFetch(source, clamp(p + ivec2(x, y), ivec2(0), last), 0).r;
      uint difference = max(v, middle) - min(v, middle);
      uint distance = uint(8 * abs(y) + abs(x));
      uint near = (range[difference >> 2] >> ((difference & 3u) << 3)) & 255u;
      uint close = (space[distance >> 2] >> ((distance & 3u) << 3)) & 255u;
      weights += near * close;
      sum += near * close * v;
    }
  smoothed = (sum + (weights >> 1)) / weights;
}
