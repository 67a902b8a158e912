// One texel: four channels, each with a separate 3x3 filter. filters: one row per four channels: their bias, then the
// taps.
uniform sampler2D source;
uniform sampler2D filters;
uniform ivec2 size;
uniform int rows;
uniform int step;
uniform vec2 bounds;
out vec4 value;

void main() {
  ivec2 at = ivec2(gl_FragCoord.xy);
  int group = at.y / rows;
  ivec2 middle = ivec2(at.x, at.y - group * rows) * step;
  vec4 sum = texelFetch(filters, ivec2(0, group), 0);
  int place = 1;
  for (int y = -1; y <= 1; y++)
    for (int x = -1; x <= 1; x++, place++) {
      ivec2 p = middle + ivec2(x, y);
      if (any(lessThan(p, ivec2(0))) || any(greaterThanEqual(p, size))) continue;
      sum += texelFetch(source, ivec2(p.x, p.y + group * size.y), 0) * texelFetch(filters, ivec2(place, group), 0);
    }
  value = min(max(sum, bounds.x * sum), vec4(bounds.y));
}
