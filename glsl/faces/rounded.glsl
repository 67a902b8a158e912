// Square root and reciprocal, correctly rounded. GLSL allows errors of several units, which could change the result for
// a window whose feature is at its threshold, compared with the CPU (WASM). The device's result is corrected by the
// remainder, which fits 32 bits if the result is off by less than 60 units. For positive, normal numbers.

/** The nearest float, halves to even. */
float roundedFloat(uint v) {
  if (v < 0x1000000u) return float(v);
  uint shift = 0u;
  while ((v >> shift) >= 0x1000000u) shift++;
  uint top = v >> shift;
  uint rest = v & ((1u << shift) - 1u);
  uint half_ = 1u << (shift - 1u);
  if (rest > half_ || (rest == half_ && (top & 1u) == 1u)) top++;
  return float(top) * float(1u << shift);
}

/**
 * The mantissa, 24 bits, of a float that should have this exponent. If it has a different one, the nearest possible
 * mantissa.
 */
uint mantissaAt(float v, int exponent) {
  uint bits = floatBitsToUint(v);
  int own = int(bits >> 23) - 127;
  return own > exponent ? 0xffffffu : own < exponent ? 0x800000u : (bits & 0x7fffffu) | 0x800000u;
}

float floatOf(uint mantissa, int exponent) {
  return uintBitsToFloat((uint(exponent + 127) << 23) + (mantissa - 0x800000u));
}

float roundedRoot(float v) {
  uint bits = floatBitsToUint(v);
  int exponent = int(bits >> 23) - 127;
  int odd = exponent & 1;
  int half_ = (exponent - odd) / 2;
  // The root of m 2^(23 + odd) is the mantissa of the result. Only the low words of the squares differ.
  uint low = ((bits & 0x7fffffu) | 0x800000u) << (23 + odd);
  uint root = mantissaAt(sqrt(v), half_);
  int rest = int(low - root * root);
  for (int i = 0; i < 64 && rest < 0; i++) rest += int(2u * --root + 1u);
  for (int i = 0; i < 64 && rest > int(2u * root); i++) rest -= int(2u * root++ + 1u);
  if (rest > int(root)) root++;
  return floatOf(root, half_);
}

float roundedReciprocal(float v) {
  uint bits = floatBitsToUint(v);
  int exponent = int(bits >> 23) - 127;
  uint mantissa = (bits & 0x7fffffu) | 0x800000u;
  if (mantissa == 0x800000u) return floatOf(mantissa, -exponent);
  uint quotient = mantissaAt(1.0 / v, -exponent - 1);
  int rest = int(0u - quotient * mantissa); // of 2^47
  for (int i = 0; i < 64 && rest < 0; i++) {
    rest += int(mantissa);
    quotient--;
  }
  for (int i = 0; i < 64 && rest >= int(mantissa); i++) {
    rest -= int(mantissa);
    quotient++;
  }
  if (2 * rest > int(mantissa)) quotient++;
  return floatOf(quotient, -exponent - 1);
}
