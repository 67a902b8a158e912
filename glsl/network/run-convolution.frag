// One texel: four outputs of a convolution with one tap or 3x3. filters: one row per four outputs: their bias, then a
// vector for each tap and input. size: of a group of the source. rows: of a group of the target.
uniform sampler2D source;
uniform sampler2D filters;
uniform int groups;
uniform ivec2 size;
uniform int rows;
uniform int step;
uniform int reach;
uniform vec2 bounds;
out vec4 value;

void main() {
  ivec2 at = ivec2(gl_FragCoord.xy);
  int group = at.y / rows;
  ivec2 middle = ivec2(at.x, at.y - group * rows) * step;
  vec4 sum = texelFetch(filters, ivec2(0, group), 0);
  int place = 1;
  for (int y = -reach; y <= reach; y++)
    for (int x = -reach; x <= reach; x++) {
      ivec2 p = middle + ivec2(x, y);
      if (any(lessThan(p, ivec2(0))) || any(greaterThanEqual(p, size))) {
        place += 4 * groups;
        continue;
      }
      for (int g = 0; g < groups; g++, place += 4) {
        vec4 v = texelFetch(source, ivec2(p.x, p.y + g * size.y), 0);
        sum += v.x * texelFetch(filters, ivec2(place, group), 0);
        sum += v.y * texelFetch(filters, ivec2(place + 1, group), 0);
        sum += v.z * texelFetch(filters, ivec2(place + 2, group), 0);
        sum += v.w * texelFetch(filters, ivec2(place + 3, group), 0);
      }
    }
  value = min(max(sum, bounds.x * sum), vec4(bounds.y));
}
