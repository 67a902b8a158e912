// One point for each new pixel of the patch, at its position in the image. The other points are outside.
uniform usampler2D colors;
uniform usampler2D facts;
uniform usampler2D center;
uniform int reach;
uniform ivec2 size;
flat out uvec4 newColor;
flat out uvec2 newFact;

void main() {
  int side = 2 * reach + 1;
  ivec2 at = ivec2(gl_VertexID % side, gl_VertexID / side);
  newColor = texelFetch(colors, at, 0);
  newFact = texelFetch(facts, at, 0).xy;
  int index = int(texelFetch(center, ivec2(0), 0).z);
  ivec2 p = max(ivec2(index % size.x, index / size.x) - reach, 0) + at;
  gl_PointSize = 1.0;
  gl_Position = newColor.a == 0u ? vec4(2.0, 2.0, 0.0, 1.0) : vec4((vec2(p) + 0.5) / vec2(size) * 2.0 - 1.0, 0.0, 1.0);
}
