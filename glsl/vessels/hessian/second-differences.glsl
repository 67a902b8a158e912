// Second differences of the smoothed image, four pixels per texel. Row y of the texture is the row above the requested
// one.
#include "./row-end.glsl"

struct Row {
  vec4 west;
  vec4 here;
  vec4 east;
};

Row row(sampler2D source, int x, int y, int width) {
  int end = (width - 1) >> 2;
  vec4 here = texelFetch(source, ivec2(x, y), 0);
  if (x == end) here = repeated(here, x, width);
  float west = x > 0 ? texelFetch(source, ivec2(x - 1, y), 0).w : here.x;
  float east = x < end ? texelFetch(source, ivec2(x + 1, y), 0).x : here.w;
  return Row(vec4(west, here.xyz), here, vec4(here.yzw, east));
}

void secondDifferences(sampler2D source, int x, int y, int width, out vec4 xx, out vec4 yy, out vec4 xy) {
  Row a = row(source, x, y, width);
  Row b = row(source, x, y + 1, width);
  Row c = row(source, x, y + 2, width);
  xx = b.east - 2.0 * b.here + b.west;
  yy = c.here - 2.0 * b.here + a.here;
  xy = 0.25 * (c.east - c.west + (a.west - a.east));
}
