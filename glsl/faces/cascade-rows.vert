// Draws only as many rows of a list as have entries, because only the GPU knows their number.
uniform usampler2D counters;
uniform int counter;
uniform ivec2 size;

void main() {
  int count = int(texelFetch(counters, ivec2(counter, 0), 0).r);
  int rows = min((count + size.x - 1) / size.x, size.y);
  int i = gl_VertexID % 3;
  vec2 corner = vec2(i & 1, i >> 1);
  if (gl_VertexID > 2) corner = 1.0 - corner;
  gl_Position = vec4(2.0 * corner * vec2(1.0, float(rows) / float(size.y)) - 1.0, 0.0, 1.0);
}
