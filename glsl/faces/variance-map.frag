// Variance map (thesis, equation 4.19): for every window, one divided by area and standard deviation, which scales its
// features. 0 for flat windows (src/faces/cascade-search.ts), and if there is no window.
#include "place.glsl"
#include "rounded.glsl"
uniform usampler2D sums;
uniform usampler2D squares;
uniform usampler2D contrast;
uniform vec3 limits;
out float factor;

uint within(usampler2D integral, ivec2 p, ivec2 size) {
  return (texelFetch(integral, p, 0).r - texelFetch(integral, p + ivec2(size.x, 0), 0).r) +
    (texelFetch(integral, p + size, 0).r - texelFetch(integral, p + ivec2(0, size.y), 0).r);
}

void main() {
  factor = 0.0;
  Window window = windowAt(ivec2(gl_FragCoord.xy));
  if (window.scale < 0) return;
  ivec4 inner = texelFetch(places, ivec2(2, window.scale), 0);
  ivec4 rule = texelFetch(places, ivec2(3, window.scale), 0);
  uint sum = within(sums, window.corner + inner.xy, inner.zw);
  uint square = within(squares, window.corner + inner.xy, inner.zw);
  float area = intBitsToFloat(rule.x);
  float least = clamp(roundedFloat(texelFetch(contrast, ivec2(0), 0).r) * limits.x, limits.y, limits.z);
  if (rule.z != 0) {
    // (v - 128) instead of v changes only the size of the numbers.
    uint n = uint(area);
    uint shifted = sum - (n << 7);
    float variance = roundedFloat(n * square - shifted * shifted);
    if (variance > least * (area * area)) factor = roundedReciprocal(roundedRoot(variance));
    return;
  }
  float inverse = intBitsToFloat(rule.y);
  float mean = roundedFloat(sum) * inverse - 128.0;
  float variance = roundedFloat(square) * inverse - mean * mean;
  if (variance > least) factor = roundedReciprocal(area * roundedRoot(variance));
}
