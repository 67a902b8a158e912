// One point of one face: the leaves of all trees of a cascade, with the order and rounding of the CPU (WASM). A leaf
// contains floats or, with UNUSED, integers that leave this number of 32 bits unused and have one scale per leaf.
// PAIRS: the leaves of two trees are added first.
#include "landmarks-fixed.glsl"
uniform usampler2D shapes;
uniform usampler2D found;
uniform usampler2D leaves;
#ifdef UNUSED
uniform usampler2D scales;
#endif
out uvec2 point;

ivec2 cell(int i) {
  return ivec2(i & 2047, i >> 11);
}

vec2 delta(ivec2 p, int points, int tree) {
  int leaf = int(texelFetch(found, ivec2(tree, p.y), 0).r);
  uvec2 value = texelFetch(leaves, cell(leaf * points + p.x), 0).xy;
#ifdef UNUSED
  ivec2 whole = ivec2(value << UNUSED) >> UNUSED;
  vec2 product = vec2(whole) * uintBitsToFloat(texelFetch(scales, cell(leaf), 0).r);
  return vec2(kept(product.x), kept(product.y));
#else
  return uintBitsToFloat(value);
#endif
}

void main() {
  ivec2 p = ivec2(gl_FragCoord.xy);
  int points = textureSize(shapes, 0).x;
  int trees = textureSize(found, 0).x;
  vec2 sum = uintBitsToFloat(texelFetch(shapes, p, 0).xy);
#ifdef PAIRS
  for (int t = 0; t < trees; t += 2) {
    vec2 both = delta(p, points, t);
    if (t + 1 < trees) both += delta(p, points, t + 1);
    sum += both;
  }
#else
  for (int t = 0; t < trees; t++) sum += delta(p, points, t);
#endif
  point = floatBitsToUint(sum);
}
