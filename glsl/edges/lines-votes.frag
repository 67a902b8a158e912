// One vote; blending adds them up.
out float vote;

void main() {
  vote = 1.0;
}
