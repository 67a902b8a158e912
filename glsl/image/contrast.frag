// Variance of an image's values at 32 x 16 positions, times the square of their number: src/image/histogram.ts.
uniform usampler2D source;
out uint contrast;

void main() {
  ivec2 size = textureSize(source, 0);
  uint sum = 0u;
  uint squares = 0u;
  for (int j = 1; j < 32; j += 2)
    for (int i = 1; i < 64; i += 2) {
      uint v = texelFetch(source, ivec2(i, j) * size / ivec2(64, 32), 0).r;
      sum += v;
      squares += v * v;
    }
  contrast = 512u * squares - sum * sum;
}
