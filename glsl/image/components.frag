// The number of a pixel's component: the number of first pixels up to the first pixel of its component.
uniform usampler2D source;
uniform usampler2D labels;
uniform usampler2D numbers;
out uint number;

void main() {
  ivec2 p = ivec2(gl_FragCoord.xy);
  number = 0u;
  if (texelFetch(source, p, 0).r == 0u) return;
  int label = int(texelFetch(labels, p >> 1, 0).r);
  int width = textureSize(source, 0).x;
  number = texelFetch(numbers, ivec2(label % width, label / width), 0).r;
}
