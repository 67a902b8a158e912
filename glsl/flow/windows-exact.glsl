// Integers of up to 38 bits, as limbs of 13 bits, the last one signed. Products of two and differences of these are
// exact, so no digits are lost if a determinant is small. (Pairs of floats would depend on compilers that do not
// reorder.)

/** Sums of up to 63 rows, each of which fits 32 bits, as high and low halves. */
struct Total {
  ivec3 high;
  ivec3 low;
};

void include(inout Total total, ivec3 row) {
  total.high += row >> 16;
  total.low += row & 0xffff;
}

/** Carries the low half into the high half, so that it has 16 bits and is not negative. */
Total carried(Total total) {
  return Total(total.high + (total.low >> 16), total.low & 0xffff);
}

ivec3 limbs(int high, int low) {
  return ivec3(low & 0x1fff, (low >> 13) | ((high & 0x3ff) << 3), high >> 10);
}

/** Non-negative limbs of 13 bits, and the sign. */
struct Whole {
  int n[6];
  float sign;
};

void carry(inout int n[6]) {
  for (int k = 0; k < 5; k++) {
    n[k + 1] += n[k] >> 13;
    n[k] &= 0x1fff;
  }
}

/** a b - c d. */
Whole difference(ivec3 a, ivec3 b, ivec3 c, ivec3 d) {
  Whole w = Whole(
    int[6](
      a.x * b.x - c.x * d.x,
      a.x * b.y + a.y * b.x - c.x * d.y - c.y * d.x,
      a.x * b.z + a.y * b.y + a.z * b.x - c.x * d.z - c.y * d.y - c.z * d.x,
      a.y * b.z + a.z * b.y - c.y * d.z - c.z * d.y,
      a.z * b.z - c.z * d.z,
      0
    ),
    1.0
  );
  carry(w.n);
  if (w.n[5] < 0) {
    for (int k = 0; k < 6; k++) w.n[k] = -w.n[k];
    carry(w.n);
    w.sign = -1.0;
  }
  return w;
}

/** Magnitude without the sign. */
float sizeOf(Whole w) {
  float size = 0.0;
  for (int k = 5; k >= 0; k--) size = 8192.0 * size + float(w.n[k]);
  return size;
}

/**
 * a / b, rounded as if once: the remainder after 11 bits of the quotient is divided again. Their products with limbs
 * are exact.
 */
float quotient(Whole a, Whole b) {
  float divisor = sizeOf(b);
  float most = uintBitsToFloat(floatBitsToUint(sizeOf(a) / divisor) & 0xffffe000u);
  float rest = 0.0;
  for (int k = 5; k >= 0; k--) rest = 8192.0 * rest + (float(a.n[k]) - most * float(b.n[k]));
  return a.sign * b.sign * (most + rest / divisor);
}

/** A tensor (xx, xy, yy) in one texel. xy has a sign. */
ivec4 packed(Total m, bool singular) {
  int middle = m.high.y + 0x200000;
  return ivec4(
    m.low.x | (m.low.y << 16),
    m.low.z | (singular ? 0x10000 : 0),
    (m.high.x << 11) | (middle & 0x7ff),
    (m.high.z << 11) | (middle >> 11)
  );
}

bool isSingular(ivec4 texel) {
  return (texel.y & 0x10000) != 0;
}

Total unpacked(ivec4 texel) {
  int middle = (texel.z & 0x7ff) | ((texel.w & 0x7ff) << 11);
  return Total(
    ivec3(texel.z >> 11, middle - 0x200000, texel.w >> 11),
    ivec3(texel.x & 0xffff, (texel.x >> 16) & 0xffff, texel.y & 0xffff)
  );
}
