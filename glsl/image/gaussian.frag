// One direction of the separable Gaussian with OpenCV's integer taps (sum 256), border replicated. Horizontally into 16
// bits without rounding, at most 255 * 256, then vertically, (sum + 32768) >> 16.
uniform usampler2D source;
uniform ivec2 direction;
uniform int radius;
uniform uint taps[32];
uniform uint rounding;
uniform int shift;
out uint smoothed;

void main() {
  ivec2 p = ivec2(gl_FragCoord.xy);
  ivec2 last = textureSize(source, 0) - 1;
  uint sum = rounding + taps[0] * texelFetch(source, p, 0).r;
  for (int i = 1; i <= radius; i++) {
    uint left = texelFetch(source, max(p - i * direction, 0), 0).r;
    uint right = texelFetch(source, min(p + i * direction, last), 0).r;
    sum += taps[i] * (left + right);
  }
  smoothed = sum >> shift;
}
