// The current image (color, 1 if known), and the mean confidence of a patch of 2 reach + 1 by 2 reach + 1 pixels.
uniform usampler2D image;
// Output of terms-rows.frag. Its first row is the row of `corner`, minus reach.
uniform usampler2D rows;
uniform int reach;
uniform ivec2 corner;

uvec4 rowAt(ivec2 p) {
  return texelFetch(rows, p - corner + ivec2(0, reach), 0);
}

uvec2 confidencesOf(uvec4 row) {
  return row.zw & uvec2(0xffffffu, 0xffffffffu);
}

uint holesOf(uvec4 row) {
  return row.z >> 24;
}

// The mean of `pixels` numbers, rounded down, at least 1: sums and division use two halves of 16 bits.
uint meanConfidence(uvec2 sum, uint pixels) {
  uint high = sum.x / pixels;
  return max(1u, (high << 16) + (((sum.x - high * pixels) << 16) + sum.y) / pixels);
}

uint areaOf(ivec2 first, ivec2 last) {
  return uint((last.x - first.x + 1) * (last.y - first.y + 1));
}

bool isHole(ivec2 p) {
  return texelFetch(image, clamp(p, ivec2(0), textureSize(image, 0) - 1), 0).a == 0u;
}
