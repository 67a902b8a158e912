// Where a window lies and how it is interpolated, in the fixed point of assembly/flow/track-points-window.ts: weights of
// 14 bits, frames mirrored at their borders.

/** Index outside of 0..last mirrored about the first and the last sample, as often as needed. */
int mirrored(int i, int last) {
  if (last == 0) return 0;
  i = abs(i) % (2 * last);
  return i > last ? 2 * last - i : i;
}

/** Of the four samples around a place with this fraction, row by row; they sum to 16384. */
ivec4 weightsOf(vec2 part) {
  vec2 rest = 1.0 - part;
  ivec3 w = ivec3(roundEven(vec3(rest.x * rest.y, part.x * rest.y, rest.x * part.y) * 16384.0));
  return ivec4(w, 16384 - w.x - w.y - w.z);
}

/** Whether a window lies so far outside that it is not followed. */
bool outOfReach(vec2 corner, int window, ivec2 size) {
  return !(all(greaterThanEqual(corner, vec2(-window))) && all(lessThan(corner, vec2(size))));
}

int total(ivec4 v) {
  return v.x + v.y + v.z + v.w;
}
