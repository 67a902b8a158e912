// All data that a frame reads back, texel after texel: forward points, backward points, boxes, and shapes, two points
// per texel.
uniform usampler2D there;
uniform usampler2D back;
uniform usampler2D boxes;
uniform usampler2D shapes;
uniform int points;
out uvec4 texel;

uvec2 shape(int i) {
  ivec2 size = textureSize(shapes, 0);
  i = min(i, size.x * size.y - 1);
  return texelFetch(shapes, ivec2(i % size.x, i / size.x), 0).xy;
}

void main() {
  int i = int(gl_FragCoord.y) * WIDTH + int(gl_FragCoord.x);
  int columns = textureSize(there, 0).x;
  int faces = textureSize(boxes, 0).y;
  int behind = i - 2 * points - faces;
  if (i < points) texel = texelFetch(there, ivec2(i % columns, i / columns), 0);
  else if (i < 2 * points) texel = texelFetch(back, ivec2((i - points) % columns, (i - points) / columns), 0);
  else if (behind < 0) texel = texelFetch(boxes, ivec2(2, i - 2 * points), 0);
  else texel = uvec4(shape(2 * behind), shape(2 * behind + 1));
}
