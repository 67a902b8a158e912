// The leaf of one tree for one face: similarity from the mean shape to the current one, then from split to split by the
// difference of two pixels. The number of the leaf refers to the whole model. A model's tables are rows of 2048 texels.
#include "landmarks-fixed.glsl"
uniform usampler2D source;
uniform usampler2D boxes;
uniform usampler2D shapes;
uniform isampler2D weights;
uniform usampler2D pixels;
uniform usampler2D splits;
uniform int exponent;
uniform int turns;
uniform int firstPixel;
uniform int firstTree;
uniform int depth;
out uint leaf;

ivec2 cell(int i) {
  return ivec2(i & 2047, i >> 11);
}

int face;
uvec4 across;
uvec4 down;
vec2 turn;

int gray(uint i) {
  uvec4 pixel = texelFetch(pixels, cell(firstPixel + int(i)), 0);
  vec2 anchor = uintBitsToFloat(texelFetch(shapes, ivec2(pixel.x, face), 0).xy);
  vec2 d = uintBitsToFloat(pixel.yz);
  float u = kept(turn.x * d.x) - kept(turn.y * d.y) + anchor.x;
  float v = kept(turn.y * d.x) + kept(turn.x * d.y) + anchor.y;
  ivec2 p = ivec2(pixelOf(u, across), pixelOf(v, down));
  ivec2 size = textureSize(source, 0);
  if (p.x < 0 || p.y < 0 || p.x >= size.x || p.y >= size.y) return 0;
  return int(texelFetch(source, p, 0).r);
}

void main() {
  int tree = firstTree + int(gl_FragCoord.x);
  face = int(gl_FragCoord.y);
  across = texelFetch(boxes, ivec2(0, face), 0);
  down = texelFetch(boxes, ivec2(1, face), 0);
  turn = vec2(1.0, 0.0);
  if (turns == 1) {
    Total a = Total(uvec3(0u), 0);
    Total b = Total(uvec3(0u), 0);
    for (int i = 0; i < textureSize(shapes, 0).x; i++) {
      vec2 q = clamp(uintBitsToFloat(texelFetch(shapes, ivec2(i, face), 0).xy), -15.0, 15.0);
      ivec2 at = ivec2(roundEven(q * 134217728.0));
      ivec2 w = texelFetch(weights, ivec2(i, 0), 0).xy;
      add(a, w.x, at.x);
      add(a, w.y, at.y);
      add(b, w.x, at.y);
      add(b, -w.y, at.x);
    }
    turn = vec2(asFloat(a, exponent), asFloat(b, exponent));
  }
  int inner = (1 << depth) - 1;
  int node = 0;
  for (int k = 0; k < depth; k++) {
    uvec2 split = texelFetch(splits, cell(tree * inner + node), 0).xy;
    float difference = float(gray(split.x & 0xffffu) - gray(split.x >> 16));
    node = 2 * node + (difference > uintBitsToFloat(split.y) ? 1 : 2);
  }
  leaf = uint((tree << depth) + node - inner);
}
