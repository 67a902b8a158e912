// Position and interpolation of a window, in the fixed-point format of assembly/flow/track-points-window.ts: weights of
// 14 bits, frames reflected at their borders.

/** Index outside 0..last reflected at the first and the last sample, repeatedly if needed. */
int mirrored(int i, int last) {
  if (last == 0) return 0;
  i = abs(i) % (2 * last);
  return i > last ? 2 * last - i : i;
}

/** Weights of the four samples around a position with this fraction, row by row. They sum to 16384. */
ivec4 weightsOf(vec2 part) {
  vec2 rest = 1.0 - part;
  ivec3 w = ivec3(roundEven(vec3(rest.x * rest.y, part.x * rest.y, rest.x * part.y) * 16384.0));
  return ivec4(w, 16384 - w.x - w.y - w.z);
}

/** Whether a window is too far outside to be tracked. */
bool outOfReach(vec2 corner, int window, ivec2 size) {
  return !(all(greaterThanEqual(corner, vec2(-window))) && all(lessThan(corner, vec2(size))));
}

int total(ivec4 v) {
  return v.x + v.y + v.z + v.w;
}
