// Sums down the window, from sums of three rows and what is left of it. Outside of the image nothing is added.
uniform sampler2D rows;
uniform sampler2D thirds;
uniform int reach;

vec4 down(int x, int y) {
  int from = max(y - reach, 0);
  int to = min(y + reach, textureSize(rows, 0).y - 1);
  int rest = from + (to - from + 1) / 3 * 3;
  vec4 sum = vec4(0.0);
  for (int at = from; at < rest; at += 3) sum += texelFetch(thirds, ivec2(x, at), 0);
  for (int at = rest; at <= to; at++) sum += texelFetch(rows, ivec2(x, at), 0);
  return sum;
}
