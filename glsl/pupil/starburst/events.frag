// The first event on one segment of a ray: a step above the threshold over four pixels, a mask that ends on a brighter
// level than it began, the end of the image, or none. A ray is cut into segments, because one fragment per ray would
// read hundreds of samples one after another while the rest of the GPU waits. Event: 4 t + kind.
#include "ray.glsl"
#ifdef SECOND
uniform int segments;
#endif
uniform int rays;
uniform int segment;
uniform int paper;
out uint event;

const uint NONE = 0xffffffffu;
const uint STEP = 0u;
const uint HIDDEN = 1u;
const uint LEFT = 2u;
const uint ESCAPE = 3u;

void main() {
  ivec2 p = ivec2(gl_FragCoord.xy);
  int search = p.y / rays;
  if (!running(search)) discard;
  event = NONE;
#ifdef SECOND
  int turn = p.x / segments;
  int part = p.x - turn * segments;
#else
  int turn = 0;
  int part = p.x;
#endif
  Ray ray;
  if (!makeRay(search, p.y - search * rays, turn, ray)) return;
  int t = ray.skip + part * segment;
  int end = min(t + segment, ray.reach);
  if (t >= end) return;
  // The four samples before the segment, and the level before a mask that may contain its start.
  int a = -1, b = -1, c = -1, d = -1;
  int before = -1;
  for (int k = max(t - 4, ray.skip); k < t; k++) {
    int level = levelAt(ray, k);
    if (level < 0) a = b = c = d = -1;
    else {
      a = b;
      b = c;
      c = d;
      d = level;
    }
  }
  if (t > ray.skip && d < 0)
    for (int k = t - 1; k >= ray.skip && before < 0; k--) before = levelAt(ray, k);
  for (; t < end; t++) {
    int level = levelAt(ray, t);
    if (level < MASKED) {
      event = 4u * uint(t) + (level == BEYOND ? ESCAPE : LEFT);
      return;
    }
    if (level == MASKED) {
      if (d >= 0) before = d;
      a = b = c = d = -1;
      continue;
    }
    if (before >= 0) {
      if (paper == 0 && level - before > ray.threshold) {
        event = 4u * uint(t) + HIDDEN;
        return;
      }
      before = -1;
    }
    if (a >= 0 && level - a > ray.threshold) {
      event = 4u * uint(t) + STEP;
      return;
    }
    a = b;
    b = c;
    c = d;
    d = level;
  }
}
