// The 2x2 system of a point with the rounding of 64-bit floats, in integers. The sums over a window have up to 37 bits,
// their products 74, and WebGL has 32. The steps therefore equal those on the CPU (WASM) to the last bit, on every
// device.

/** high * 8192 + low, with either sign. */
struct Sum {
  int high;
  int low;
};

/** 96 bits, low word first, and a sign. */
struct Wide {
  uvec3 bits;
  bool negative;
};

float asFloat(Sum s) {
  return float(s.high) * 8192.0 + float(s.low);
}

/** Index of the highest set bit. Rounding to a float cannot carry, because the bit below it is cleared. */
int topBit(uint w) {
  return int(floatBitsToUint(float(w & ~(w >> 1))) >> 23) - 127;
}

/** -1 for 0. */
int topBit(uvec3 w) {
  return w.z != 0u ? 64 + topBit(w.z) : w.y != 0u ? 32 + topBit(w.y) : w.x != 0u ? topBit(w.x) : -1;
}

bool below(uvec3 a, uvec3 b) {
  return a.z != b.z ? a.z < b.z : a.y != b.y ? a.y < b.y : a.x < b.x;
}

uvec3 plus(uvec3 a, uvec3 b) {
  uvec3 sum = a + b;
  bool carry = sum.x < a.x;
  if (carry) sum.y++;
  if (carry ? sum.y <= a.y : sum.y < a.y) sum.z++;
  return sum;
}

uvec3 minus(uvec3 a, uvec3 b) {
  uvec3 rest = a - b;
  bool borrow = a.x < b.x;
  if (borrow) rest.y--;
  if (borrow ? a.y <= b.y : a.y < b.y) rest.z--;
  return rest;
}

/** Shifts by 0 to 95 bits. */
uvec3 shifted(uvec3 w, int by) {
  for (; by >= 32; by -= 32) w = uvec3(0u, w.xy);
  return by == 0 ? w : (w << by) | uvec3(0u, w.xy >> (32 - by));
}

/** Rounds to 53 bits, ties to even. At most 84 bits. */
uvec3 rounded(uvec3 w) {
  int drop = topBit(w) - 52;
  if (drop <= 0) return w;
  uint rest = w.x & ((1u << drop) - 1u);
  uint half_ = 1u << (drop - 1);
  w.x -= rest;
  bool up = rest > half_ || (rest == half_ && ((w.x >> drop) & 1u) == 1u);
  return up ? plus(w, uvec3(1u << drop, 0u, 0u)) : w;
}

/** Magnitude as three parts of 13 bits, the lowest first. */
uvec3 parts(Sum s, out bool negative) {
  int high = s.high + (s.low >> 13);
  int low = s.low & 8191;
  negative = high < 0;
  if (negative) {
    high = low == 0 ? -high : -high - 1;
    low = (8192 - low) & 8191;
  }
  return uvec3(low, high & 8191, high >> 13);
}

Wide product(Sum one, Sum other) {
  bool minusOne;
  bool minusOther;
  uvec3 a = parts(one, minusOne);
  uvec3 b = parts(other, minusOther);
  uint c0 = a.x * b.x;
  uint c1 = a.x * b.y + a.y * b.x + (c0 >> 13);
  uint c2 = a.x * b.z + a.y * b.y + a.z * b.x + (c1 >> 13);
  uint c3 = a.y * b.z + a.z * b.y + (c2 >> 13);
  uint c4 = a.z * b.z + (c3 >> 13);
  c0 &= 8191u;
  c1 &= 8191u;
  c2 &= 8191u;
  c3 &= 8191u;
  uvec3 bits = uvec3(c0 | (c1 << 13) | (c2 << 26), (c2 >> 6) | (c3 << 7) | (c4 << 20), c4 >> 12);
  return Wide(rounded(bits), minusOne != minusOther);
}

Wide difference(Wide a, Wide b) {
  if (a.negative != b.negative) return Wide(rounded(plus(a.bits, b.bits)), a.negative);
  if (below(a.bits, b.bits)) return Wide(rounded(minus(b.bits, a.bits)), !a.negative);
  return Wide(rounded(minus(a.bits, b.bits)), a.negative);
}

/** Rounded to 53 bits, then to a 32-bit float. The divisor must be positive. */
float quotient(Wide dividend, Wide divisor) {
  int top = topBit(dividend.bits);
  if (top < 0) return 0.0;
  int exponent = top - topBit(divisor.bits);
  uvec3 n = shifted(dividend.bits, 94 - top);
  uvec3 d = shifted(divisor.bits, 94 - topBit(divisor.bits));
  if (below(n, d)) {
    n = shifted(n, 1);
    exponent--;
  }
  // 53 bits and the next one.
  uint high = 0u;
  uint low = 0u;
  for (int i = 0; i < 54; i++) {
    uint bit = 0u;
    if (!below(n, d)) {
      n = minus(n, d);
      bit = 1u;
    }
    n = (n << 1) | uvec3(0u, n.xy >> 31);
    if (i < 25) high = (high << 1) | bit;
    else low = (low << 1) | bit;
  }
  bool behind = (low & 1u) == 1u;
  low >>= 1;
  if (behind && (n != uvec3(0u) || (low & 1u) == 1u)) low++;
  if (low == 1u << 28) {
    low = 0u;
    high++;
  }
  uint value = high >> 1;
  if ((high & 1u) == 1u && (low != 0u || (value & 1u) == 1u)) value++;
  float size = float(value) * uintBitsToFloat(uint(exponent - 23 + 127) << 23);
  return dividend.negative ? -size : size;
}
