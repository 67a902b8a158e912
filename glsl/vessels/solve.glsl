// Both eigenvalues from one root; ordered 1: by magnitude, 0: ascending.
vec2 solve(float xx, float yy, float xy, int ordered) {
  float mean = 0.5 * (xx + yy);
  float difference = 0.5 * (xx - yy);
  float root = sqrt(difference * difference + xy * xy);
  float signedRoot = ordered == 1 && mean < 0.0 ? -root : root;
  return vec2(mean - signedRoot, mean + signedRoot);
}
