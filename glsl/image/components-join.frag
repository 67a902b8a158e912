// A label for the target block.
flat in uint lower;
out uint hook;

void main() {
  hook = lower;
}
