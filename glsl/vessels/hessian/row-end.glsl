// Texel x at or beyond the end of a row of `width` samples, four per texel. v is the texel that contains the last
// sample. All samples beyond it repeat it.
vec4 repeated(vec4 v, int x, int width) {
  int last = width - 1;
  return mix(v, vec4(v[last & 3]), greaterThan(4 * x + ivec4(0, 1, 2, 3), ivec4(last)));
}
