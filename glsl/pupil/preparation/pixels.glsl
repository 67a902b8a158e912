// Reads a piece of an 8-bit image at the origin of its texture: four neighbors per texel (PACKED) or one. Samples
// beyond the piece's border repeat its last one. Texel contents beyond the border are never used.
uniform ivec2 size;

uvec4 pixels(usampler2D image, int column, int y) {
#ifdef PACKED
  int last = (size.x - 1) >> 2;
  uvec4 t = texelFetch(image, ivec2(clamp(column, 0, last), y), 0);
  if (column < 0) return t.xxxx;
  if (column < last) return t;
  int end = (size.x - 1) & 3;
  uint e = t[end];
  return column > last ? uvec4(e) : uvec4(t.x, end > 0 ? t.y : e, end > 1 ? t.z : e, end > 2 ? t.w : e);
#else
  return texelFetch(image, ivec2(clamp(column, 0, size.x - 1), y), 0);
#endif
}
