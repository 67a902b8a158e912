// A ray of Starburst (paper 000, section 2.3) as in assembly/pupil/starburst/rays.ts: positions in 1/65536 pixel, so
// that both backends read equal samples. SECOND: from border point `ray` back towards the center, rotated by an arc.
#include "state.glsl"
uniform usampler2D prepared;
uniform usampler2D directions;
uniform ivec4 region;
uniform ivec4 window;
uniform ivec2 origin;
#ifdef SECOND
uniform usampler2D hits;
uniform usampler2D arc;
#endif

const int OUTSIDE = -2;
const int BEYOND = -3;
const int MASKED = -1;

struct Ray {
  vec2 start;
  vec2 way;
  ivec2 from;
  ivec2 step;
  int skip;
  int reach;
  int threshold;
};

/** Returns false if there is no ray. */
bool makeRay(int search, int number, int turn, out Ray ray) {
  uvec4 place = texelFetch(state, ivec2(0, search), 0);
  uvec4 limits = texelFetch(state, ivec2(2, search), 0);
  vec2 center = uintBitsToFloat(place.xy);
  ray.threshold = int(limits.y);
#ifdef SECOND
  uvec4 hit = texelFetch(hits, ivec2(number, search), 0);
  ray.start = uintBitsToFloat(hit.xy);
  vec2 back = center - ray.start;
  float far = sqrt(back.x * back.x + back.y * back.y);
  if (hit.z == 0u || far < 2.0) return false;
  vec2 u = back / far;
  vec2 a = uintBitsToFloat(texelFetch(arc, ivec2(turn, 0), 0).xy);
  ray.way = vec2(u.x * a.x - u.y * a.y, u.x * a.y + u.y * a.x);
  ray.skip = 3;
  ray.reach = 2 * int(limits.x);
#else
  ray.start = center;
  ray.way = uintBitsToFloat(texelFetch(directions, ivec2(number, 0), 0).xy);
  ray.skip = 0;
  ray.reach = int(limits.x);
#endif
  ray.step = ivec2(ray.way * 65536.0);
  ray.from = ivec2((ray.start + ray.way * float(ray.skip) + 0.5) * 65536.0);
  return true;
}

/**
 * Level at t pixels along the ray, or the reason for its absence. BEYOND: in the region, but not in the uploaded area.
 */
int levelAt(Ray ray, int t) {
  ivec2 p = (ray.from + ray.step * (t - ray.skip)) >> 16;
  if (any(lessThan(p, region.xy)) || any(greaterThanEqual(p, region.zw))) return OUTSIDE;
  if (any(lessThan(p, window.xy)) || any(greaterThanEqual(p, window.zw))) return BEYOND;
  p -= origin;
#ifdef PACKED
  uint v = texelFetch(prepared, ivec2(p.x >> 2, p.y), 0)[p.x & 3];
#else
  uint v = texelFetch(prepared, p, 0).r;
#endif
  return v > 255u ? MASKED : int(v);
}
