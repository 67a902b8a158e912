// Sums of 8 neighbors along an axis: the up-sweep of the two-sweep scan (Blelloch 1990). VALUE(v) is the summed value.
uniform usampler2D source;
uniform ivec2 axis;
uniform int extent;
out uint total;

void main() {
  ivec2 p = ivec2(gl_FragCoord.xy);
  int first = (p.x * axis.x + p.y * axis.y) * 8;
  ivec2 across = p * (1 - axis);
  int end = min(first + 8, extent);
  uint sum = 0u;
  for (int i = first; i < end; i++) {
    uint v = texelFetch(source, across + i * axis, 0).r;
    sum += VALUE(v);
  }
  total = sum;
}
