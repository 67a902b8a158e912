// Integers that replace the 64-bit floats of assembly/faces/landmarks.ts. The pixel at a position, and therefore the
// leaf, must not depend on 32-bit rounding.

/** Always 0, but unknown to the compiler: a product that passes through `kept` is rounded, never fused with a sum. */
uniform uint nothing;

float kept(float product) {
  return uintBitsToFloat(floatBitsToUint(product) ^ nothing);
}

/** High and low word of a product. */
uvec2 times(uint a, uint b) {
  uvec2 p = uvec2(a & 0xffffu, a >> 16);
  uvec2 q = uvec2(b & 0xffffu, b >> 16);
  uint low = p.x * q.x;
  uint one = p.x * q.y;
  uint other = p.y * q.x;
  uint middle = (low >> 16) + (one & 0xffffu) + (other & 0xffffu);
  return uvec2(p.y * q.y + (one >> 16) + (other >> 16) + (middle >> 16), (low & 0xffffu) | (middle << 16));
}

uvec2 negated(uvec2 v) {
  return uvec2(~v.x + (v.y == 0u ? 1u : 0u), ~v.y + 1u);
}

/** The sum of many products of two 32-bit numbers, in 16-bit parts. The last part has the sign. */
struct Total {
  uvec3 low;
  int high;
};

void add(inout Total sum, int a, int b) {
  uvec2 product = times(uint(abs(a)), uint(abs(b)));
  if ((a ^ b) < 0) product = negated(product);
  sum.low += uvec3(product.y & 0xffffu, product.y >> 16, product.x & 0xffffu);
  sum.high += int(product.x) >> 16;
}

/** The nearest 32-bit float of the sum times 2^exponent, halves to even. */
float asFloat(Total sum, int exponent) {
  // With carries, as 80 bits with a sign.
  uint a = sum.low.x;
  uint b = sum.low.y + (a >> 16);
  uint c = sum.low.z + (b >> 16);
  int top = sum.high + int(c >> 16);
  uvec3 bits = uvec3((a & 0xffffu) | (b << 16), c & 0xffffu, 0u);
  bits.y |= uint(top) << 16;
  bits.z = uint(top >> 16);
  bool negative = top < 0;
  if (negative) {
    bits = ~bits;
    bits.x++;
    if (bits.x == 0u) bits.y++;
    if (bits.x == 0u && bits.y == 0u) bits.z++;
  }
  if (bits == uvec3(0u)) return 0.0;
  // Shift left until the highest bit is set: 24 bits of a float, and the rest.
  int shift = 0;
  while (bits.z == 0u) {
    bits = uvec3(0u, bits.xy);
    shift += 32;
  }
  while (bits.z < 0x80000000u) {
    bits = (bits << 1) | uvec3(0u, bits.xy >> 31);
    shift++;
  }
  uint value = bits.z >> 8;
  uint rest = bits.z & 255u;
  bool more = bits.x != 0u || bits.y != 0u;
  if (rest > 128u || (rest == 128u && (more || (value & 1u) == 1u))) value++;
  float size = float(value) * uintBitsToFloat(uint(72 - shift + exponent + 127) << 23);
  return negative ? -size : size;
}

/**
 * floor(u * side + start + 0.5). `axis`: the integer part of side and its fraction in 2^-32, and start + 0.5 in 2^-29,
 * high and low word. Exact, except for bits below 2^-29 in a u below 2^-6. At distances of more than four boxes, it is
 * computed with 32-bit floats.
 */
int pixelOf(float u, uvec4 axis) {
  if (!(abs(u) < 4.0)) {
    float side = float(axis.x) + float(axis.y) / 4294967296.0;
    float start = float(int(axis.z)) * 8.0 + float(axis.w) / 536870912.0;
    return int(clamp(floor(u * side + start), -1e9, 1e9));
  }
  int fixed_ = int(roundEven(u * 536870912.0));
  uint size = uint(abs(fixed_));
  uvec2 product = times(size, axis.x);
  uint behind = times(size, axis.y).x;
  product.y += behind;
  if (product.y < behind) product.x++;
  if (fixed_ < 0) product = negated(product);
  uint low = product.y + axis.w;
  uint high = product.x + axis.z + (low < axis.w ? 1u : 0u);
  return int((high << 3) | (low >> 29));
}
