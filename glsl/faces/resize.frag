// Bilinear reduction with 8-bit weights, identical to assembly/faces/resize.ts in every byte. Rows `row` and `row + 1`
// of the table: left sample and weight of its neighbor, for each column and for each row. PLACED: into a part of an
// atlas, with the scale stored next to the value.
uniform usampler2D source;
uniform isampler2D tables;
uniform ivec2 origin;
uniform int row;
#ifdef PLACED
uniform uint number;
layout(location = 0) out uint reduced;
layout(location = 1) out uint scale;
#else
out uint reduced;
#endif

int at(int x, int y) {
  return int(texelFetch(source, ivec2(x, y), 0).r);
}

int interpolated(ivec2 column, int next, int y) {
  int a = at(column.x, y);
  return (a << 8) + (at(next, y) - a) * column.y;
}

void main() {
  ivec2 p = ivec2(gl_FragCoord.xy) - origin;
  ivec2 last = textureSize(source, 0) - 1;
  ivec2 column = texelFetch(tables, ivec2(p.x, row), 0).rg;
  ivec2 line = texelFetch(tables, ivec2(p.y, row + 1), 0).rg;
  int next = min(column.x + 1, last.x);
  int upper = interpolated(column, next, line.x);
  int lower = interpolated(column, next, min(line.x + 1, last.y));
  reduced = uint((upper * (256 - line.y) + lower * line.y + 32768) >> 16);
#ifdef PLACED
  scale = number;
#endif
}
