// One iteration of the window of each pixel. State: corner of the window in the next frame and the last step. For a
// finished window, the pixel's position and DONE. For a window that cannot be tracked on the finest level, LOST.
#include "windows-fixed.glsl"
#include "windows-exact.glsl"
uniform isampler2D samples;
uniform usampler2D next;
uniform isampler2D tensors;
uniform sampler2D before;
uniform float scale;
uniform int window;
uniform float epsilon;
// In the first iteration of a level the position is `grow` times the position of the previous level or, with 0, the
// pixel itself.
uniform int first;
uniform float grow;
uniform int finest;
out vec4 state;

ivec2 size;

int at(ivec2 p) {
  return int(texelFetch(next, ivec2(mirrored(p.x, size.x), mirrored(p.y, size.y)), 0).r);
}

void main() {
  ivec2 p = ivec2(gl_FragCoord.xy);
  size = textureSize(next, 0);
  float reach = float(window >> 1);
  state = texelFetch(before, p, 0);
  if (first == 0 && state.z >= DONE) return;
  vec2 found = placeOf(state, reach);
  vec2 place = state.xy;
  if (first != 0) {
    found = grow > 0.0 ? grow * found : scale * vec2(p);
    place = found - reach;
  }
  ivec4 tensor = texelFetch(tensors, p, 0);
  float end = finest != 0 ? LOST : DONE;
  if (isSingular(tensor) || outOfReach(place, window, size)) {
    state = vec4(found, end, end);
    return;
  }
  vec2 start = vec2(p) * scale - reach;
  ivec2 corner = ivec2(floor(start));
  ivec4 w = weightsOf(start - floor(start));
  ivec2 moved = ivec2(floor(place));
  ivec4 v = weightsOf(place - floor(place));
  Total total = Total(ivec3(0), ivec3(0));
  for (int j = 0; j < window; j++) {
    ivec3 row = ivec3(0);
    ivec2 from = corner + ivec2(0, j);
    ivec2 to = moved + ivec2(0, j);
    ivec3 a = sampleAt(samples, from);
    // On the finest level pixels are samples: one fetch in place of two, because the right and lower neighbors have
    // weight 0.
    ivec3 c = finest != 0 ? ivec3(0) : sampleAt(samples, from + ivec2(0, 1));
    ivec2 left = ivec2(at(to), at(to + ivec2(0, 1)));
    for (int i = 0; i < window; i++) {
      from.x++;
      to.x++;
      ivec3 b = sampleAt(samples, from);
      ivec3 d = finest != 0 ? ivec3(0) : sampleAt(samples, from + ivec2(0, 1));
      ivec2 right = ivec2(at(to), at(to + ivec2(0, 1)));
      ivec3 own = between(a, b, c, d, w);
      int gray = left.x * v.x + right.x * v.y + left.y * v.z + right.y * v.w;
      int away = ((gray + (1 << (WEIGHT_BITS - 6))) >> (WEIGHT_BITS - 5)) - own.x;
      row.xy += away * own.yz;
      a = b;
      c = d;
      left = right;
    }
    include(total, row);
  }
  total = carried(total);
  ivec3 bx = limbs(total.high.x, total.low.x);
  ivec3 by = limbs(total.high.y, total.low.y);
  Total m = unpacked(tensor);
  ivec3 xx = limbs(m.high.x, m.low.x);
  ivec3 xy = limbs(m.high.y, m.low.y);
  ivec3 yy = limbs(m.high.z, m.low.z);
  Whole determinant = difference(xx, yy, xy, xy);
  vec2 moves =
    vec2(quotient(difference(xy, by, yy, bx), determinant), quotient(difference(xy, bx, xx, by), determinant));
  place += moves;
  found = place + reach;
  vec2 last = first != 0 ? vec2(1e9) : state.zw;
  if (dot(moves, moves) <= epsilon * epsilon) state = vec4(found, vec2(DONE));
  // Oscillates between two positions: the midpoint is the better answer.
  else if (all(lessThan(abs(moves + last), vec2(0.01)))) state = vec4(found - 0.5 * moves, vec2(DONE));
  else state = vec4(place, moves);
}
