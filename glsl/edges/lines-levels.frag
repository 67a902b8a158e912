// For each row of the list of peaks: number of peaks with at least `level` + x * 2^`shift` votes.
uniform usampler2D list;
uniform uint level;
uniform int shift;
out uint count;

void main() {
  ivec2 p = ivec2(gl_FragCoord.xy);
  uint least = level + (uint(p.x) << shift);
  int columns = textureSize(list, 0).x;
  count = 0u;
  for (int i = 0; i < columns; i++) {
    uint votes = texelFetch(list, ivec2(i, p.y), 0).g;
    if (votes >= least) count++;
  }
}
