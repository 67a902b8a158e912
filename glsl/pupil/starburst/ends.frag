// The end of a ray: the first event of its segments. A step is followed to its steepest position (not in the paper's
// variant). Hit: x, y as float bits, whether there is one, whether the ray left the uploaded area before it ended.
#include "ray.glsl"
uniform usampler2D events;
uniform int rays;
uniform int segments;
uniform int paper;
#ifdef SECOND
uniform int arcRays;
#endif
out uvec4 hit;

void main() {
  ivec2 p = ivec2(gl_FragCoord.xy);
  int search = p.y;
  if (!running(search)) discard;
#ifdef SECOND
  int number = p.x / arcRays;
  int turn = p.x - number * arcRays;
#else
  int number = p.x;
  int turn = 0;
#endif
  hit = uvec4(0u);
  uint event = 0xffffffffu;
  ivec2 from = ivec2(turn * segments, search * rays + number);
  for (int k = 0; k < segments; k++) event = min(event, texelFetch(events, ivec2(from.x + k, from.y), 0).r);
  uint kind = event & 3u;
  if (event == 0xffffffffu || kind == 1u || kind == 2u) return;
  if (kind == 3u) {
    hit.w = 1u;
    return;
  }
  Ray ray;
  if (!makeRay(search, number, turn, ray)) return;
  int bestAt = int(event >> 2);
  if (paper == 0) {
    int a = levelAt(ray, bestAt - 3);
    int b = levelAt(ray, bestAt - 2);
    int c = levelAt(ray, bestAt - 1);
    int d = levelAt(ray, bestAt);
    int best = d - levelAt(ray, bestAt - 4);
    for (int t = bestAt + 1; t < ray.reach; t++) {
      int level = levelAt(ray, t);
      if (level == BEYOND) {
        hit.w = 1u;
        return;
      }
      if (level < 0 || level - a <= best) break;
      best = level - a;
      bestAt = t;
      a = b;
      b = c;
      c = d;
      d = level;
    }
  }
  // The step is at the center of its four pixels.
  hit = uvec4(floatBitsToUint(ray.start + ray.way * float(bestAt - 2)), 1u, 0u);
}
