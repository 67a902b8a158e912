// Half of one.
float half_() {
  return 0.5;
}
