// Medians of 5 x 5 of both components for two neighbors, border replicated: the minimum and the maximum of 14 samples
// are dropped, and one more is added, until the middle one of three is left.
#include "refine-pairs.glsl"
uniform sampler2D flow;
uniform int width;
out vec4 middle;

vec4 kept[14];

void order(int i, int k) {
  vec4 low = min(kept[i], kept[k]);
  kept[k] = max(kept[i], kept[k]);
  kept[i] = low;
}

void main() {
  ivec2 p = ivec2(gl_FragCoord.xy);
  int last = textureSize(flow, 0).y - 1;
  vec4 samples[25];
  for (int j = 0; j < 5; j++) {
    int y = clamp(p.y + j - 2, 0, last);
    vec2 left = flowAt(flow, clamp(2 * p.x - 2, 0, width - 1), y);
    for (int i = 0; i < 5; i++) {
      vec2 right = flowAt(flow, clamp(2 * p.x + i - 1, 0, width - 1), y);
      samples[5 * j + i] = vec4(left, right);
      left = right;
    }
  }
  for (int i = 0; i < 14; i++) kept[i] = samples[i];
  for (int size = 14; size > 2; size--) {
    for (int i = 1; i < size; i++) order(0, i);
    for (int i = 1; i < size - 1; i++) order(i, size - 1);
    // The maximum is removed at the end.
    if (size > 3) kept[0] = samples[28 - size];
  }
  middle = kept[1];
}
