// The fixed-point format of assembly/flow/track-points.ts: gray levels with 5 fractional bits, derivatives without any,
// weights of 14 bits. Frames are reflected at their borders, and derivatives are 0 outside.
const int WEIGHT_BITS = 14;

int mirrored(int i, int n) {
  if (n == 1) return 0;
  int period = 2 * n - 2;
  i = abs(i) % period;
  return i < n ? i : period - i;
}

/** Weights of the four samples around a position with this fraction. */
ivec4 weightsOf(vec2 f) {
  vec2 g = 1.0 - f;
  ivec3 w = ivec3(roundEven(vec3(g.x * g.y, f.x * g.y, g.x * f.y) * float(1 << WEIGHT_BITS)));
  return ivec4(w, (1 << WEIGHT_BITS) - w.x - w.y - w.z);
}

/** Gray level, x and y derivative of a sample of the first frame (windows-samples.frag). */
ivec3 sampleAt(isampler2D samples, ivec2 p) {
  ivec2 size = textureSize(samples, 0);
  ivec3 found = texelFetch(samples, ivec2(mirrored(p.x, size.x), mirrored(p.y, size.y)), 0).rgb;
  bool inside = all(greaterThanEqual(p, ivec2(0))) && all(lessThan(p, size));
  return inside ? found : ivec3(found.x, 0, 0);
}

/** Interpolated sample, from the samples above left, above right, below left and below right. */
ivec3 between(ivec3 a, ivec3 b, ivec3 c, ivec3 d, ivec4 w) {
  ivec3 sum = a * w.x + b * w.y + c * w.z + d * w.w;
  return (sum + ivec3(1 << (WEIGHT_BITS - 6), ivec2(1 << (WEIGHT_BITS - 1)))) >> ivec3(WEIGHT_BITS - 5, ivec2(WEIGHT_BITS));
}

/** Whether a window at this position is too far outside, or NaN, so that it is not tracked. */
bool outOfReach(vec2 place, int window, ivec2 size) {
  vec2 corner = floor(place);
  return !(all(greaterThanEqual(corner, vec2(-window))) && all(lessThan(corner, vec2(size))));
}

// Replaces the last step.
const float DONE = 1e30;
const float LOST = 2e30;

/**
 * Position for a window's state (windows-step.frag): the corner moves on, and the position of a finished window is not
 * changed.
 */
vec2 placeOf(vec4 state, float reach) {
  return state.z >= DONE ? state.xy : state.xy + reach;
}
