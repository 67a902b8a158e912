// The number of a scale, over its part of the atlas.
uniform uint number;
out uint scale;

void main() {
  scale = number;
}
