// One direction of pyrDown: taps 1 4 6 4 1 at every second sample, border reflected without repeating it, or
// replicated. Horizontally without rounding (at most 16 * 255), then vertically, (sum + 128) >> 8.
uniform usampler2D source;
uniform ivec2 direction;
uniform uint rounding;
uniform int shift;
uniform int reflects;
out uint level;

ivec2 last;

// Reflects repeatedly if needed: images narrower than the kernel have more than one reflection.
int inside(int i, int n) {
  if (reflects == 0 || n == 0) return clamp(i, 0, n);
  i = abs(i) % (2 * n);
  return i > n ? 2 * n - i : i;
}

uint at(ivec2 p) {
  return texelFetch(source, ivec2(inside(p.x, last.x), inside(p.y, last.y)), 0).r;
}

void main() {
  last = textureSize(source, 0) - 1;
  ivec2 p = ivec2(gl_FragCoord.xy);
  p += p * direction;
  uint sum = 6u * at(p) + 4u * (at(p - direction) + at(p + direction)) + at(p - 2 * direction) + at(p + 2 * direction);
  level = (sum + rounding) >> shift;
}
