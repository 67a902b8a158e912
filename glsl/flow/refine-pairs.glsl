// A flow field with two neighbors per texel.
vec2 flowAt(sampler2D field, int x, int y) {
  vec4 pair = texelFetch(field, ivec2(x >> 1, y), 0);
  return (x & 1) == 0 ? pair.xy : pair.zw;
}
