// A label on its way to the block that takes it.
flat in uint lower;
out uint hook;

void main() {
  hook = lower;
}
