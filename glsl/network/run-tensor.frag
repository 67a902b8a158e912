// Steps between convolutions. size: of a group of the source. rows: of the target. operation:
// - 0: copies each texel to 2x2 texels.
// - 1: the groups of `source`, then those of `other`.
// - 2: sums.
// - 3 and 4: maximum and mean of 2x2.
// - 5: mean of all.
uniform sampler2D source;
uniform sampler2D other;
uniform int operation;
uniform int groups;
uniform ivec2 size;
uniform int rows;
uniform vec2 bounds;
out vec4 value;

void main() {
  ivec2 at = ivec2(gl_FragCoord.xy);
  int group = at.y / rows;
  ivec2 p = ivec2(at.x, at.y - group * rows);
  if (operation == 0) value = texelFetch(source, (p >> 1) + ivec2(0, group * size.y), 0);
  else if (operation == 1)
    value = group < groups ? texelFetch(source, at, 0) : texelFetch(other, p + ivec2(0, (group - groups) * rows), 0);
  else if (operation == 2) {
    vec4 sum = texelFetch(source, at, 0) + texelFetch(other, at, 0);
    value = min(max(sum, bounds.x * sum), vec4(bounds.y));
  } else {
    ivec2 area = operation == 5 ? size : ivec2(2);
    ivec2 first = p * area + ivec2(0, group * size.y);
    vec4 most = texelFetch(source, first, 0);
    vec4 sum = vec4(0);
    for (int y = 0; y < area.y; y++)
      for (int x = 0; x < area.x; x++) {
        vec4 v = texelFetch(source, first + ivec2(x, y), 0);
        most = max(most, v);
        sum += v;
      }
    value = operation == 3 ? most : sum / float(area.x * area.y);
  }
}
