// The picture so far (color, 1 where known), and the mean confidence of a patch of 2 reach + 1 pixels a side.
uniform usampler2D image;
uniform usampler2D confidences;
uniform int reach;

// Mean confidence of the patch, rounded down, at least 1: sums and division in two halves of 16 bits.
uint patchConfidence(ivec2 first, ivec2 last) {
  uvec2 sum = uvec2(0u);
  for (int y = first.y; y <= last.y; y++)
    for (int x = first.x; x <= last.x; x++) {
      uint c = texelFetch(confidences, ivec2(x, y), 0).r;
      sum += uvec2(c >> 16, c & 0xffffu);
    }
  uint area = uint((last.x - first.x + 1) * (last.y - first.y + 1));
  uint high = sum.x / area;
  return max(1u, (high << 16) + (((sum.x - high * area) << 16) + sum.y) / area);
}

bool isHole(ivec2 p) {
  return texelFetch(image, clamp(p, ivec2(0), textureSize(image, 0) - 1), 0).a == 0u;
}
