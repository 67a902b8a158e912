// The down-sweep: the exclusive sum of the block of 8, plus the values before this sample within the block.
uniform usampler2D source;
uniform usampler2D blocks;
uniform int whole;
uniform ivec2 axis;
uniform int extent;
uniform int inclusive;
out uint sum;

void main() {
  ivec2 p = ivec2(gl_FragCoord.xy);
  int i = p.x * axis.x + p.y * axis.y;
  ivec2 across = p * (1 - axis);
  int block = i >> 3;
  uint s = whole != 0 ? 0u : texelFetch(blocks, across + block * axis, 0).r;
  int end = min(i + inclusive, extent);
  for (int j = block << 3; j < end; j++) {
    uint v = texelFetch(source, across + j * axis, 0).r;
    s += VALUE(v);
  }
  sum = s;
}
