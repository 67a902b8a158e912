// The last inclusive count: how many entries the list has.
uniform usampler2D counts;
out uint count;

void main() {
  count = texelFetch(counts, textureSize(counts, 0) - 1, 0).r;
}
