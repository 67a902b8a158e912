// Both eigenvalues from one root. ordered 1: by magnitude, 0: ascending.
void solve(VALUES xx, VALUES yy, VALUES xy, int ordered, out VALUES lambda1, out VALUES lambda2) {
  VALUES mean = 0.5 * (xx + yy);
  VALUES difference = 0.5 * (xx - yy);
  VALUES root = sqrt(difference * difference + xy * xy);
  if (ordered == 1) root *= 2.0 * step(0.0, mean) - 1.0;
  lambda1 = mean - root;
  lambda2 = mean + root;
}
