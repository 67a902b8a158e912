// The last inclusive count: the number of entries in the list.
uniform usampler2D counts;
out uint count;

void main() {
  count = texelFetch(counts, textureSize(counts, 0) - 1, 0).r;
}
