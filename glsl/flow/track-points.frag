// One level of Bouguet's search for a point, with the rules of assembly/flow/track-points.ts: structure tensor of the
// window, then steps until they are short. A point is a texel: x and y as bits of floats, whether it is found, and the
// sum of |J - I| on the finest level. Sums of a row fit 32 bits. Sums of a window have two words.
#include "track-points-window.glsl"
#include "track-points-exact.glsl"
uniform usampler2D next;
uniform isampler2D windows;
uniform usampler2D points;
uniform usampler2D state;
uniform int window;
uniform int firstRow;
uniform float scale;
uniform float grow;
uniform int begins;
uniform int finest;
uniform int iterations;
uniform float epsilon;
uniform float least;
out uvec4 point;

/** A determinant below 2^-23, in units of 2^-40. */
const uint SINGULAR = 1u << 17;

struct Mismatch {
  Sum x;
  Sum y;
  int size;
};

ivec2 frame;

void add(inout Sum sum, int row) {
  sum.high += row >> 13;
  sum.low += row & 8191;
}

/** A sample and the one below it. */
ivec2 pair(ivec2 q, bool inside) {
  ivec2 lower = q + ivec2(0, 1);
  if (!inside) {
    q = ivec2(mirrored(q.x, frame.x - 1), mirrored(q.y, frame.y - 1));
    lower = ivec2(q.x, mirrored(lower.y, frame.y - 1));
  }
  return ivec2(texelFetch(next, q, 0).r, texelFetch(next, lower, 0).r);
}

/** The sums of (J - I) Ix, (J - I) Iy and |J - I|. */
Mismatch mismatch(vec2 place, vec2 corner, ivec2 origin) {
  Mismatch sums = Mismatch(Sum(0, 0), Sum(0, 0), 0);
  ivec2 q = ivec2(corner);
  ivec4 w = weightsOf(place - corner);
  bool inside = q.x >= 0 && q.y >= 0 && q.x + window < frame.x && q.y + window < frame.y;
  for (int y = 0; y < window; y++) {
    ivec2 row = ivec2(0);
    ivec2 left = pair(q + ivec2(0, y), inside);
    for (int x = 0; x < window; x++) {
      ivec2 right = pair(q + ivec2(x + 1, y), inside);
      ivec3 known = texelFetch(windows, origin + ivec2(x, y), 0).xyz;
      int d = ((total(ivec4(left.x, right.x, left.y, right.y) * w) + 256) >> 9) - known.x;
      row += d * known.yz;
      sums.size += abs(d);
      left = right;
    }
    add(sums.x, row.x);
    add(sums.y, row.y);
  }
  return sums;
}

void main() {
  ivec2 p = ivec2(gl_FragCoord.xy);
  frame = textureSize(next, 0);
  uvec4 before = texelFetch(state, p, 0);
  vec2 result = uintBitsToFloat(before.xy) * grow;
  bool found = begins == 1 || before.z == 1u;
  float middle = float(window >> 1);
  vec2 corner = floor(uintBitsToFloat(texelFetch(points, p, 0).xy) * scale - middle);
  point = uvec4(floatBitsToUint(result), found && finest == 0, 0u);
  if (outOfReach(corner, window, frame)) return;

  ivec2 origin = window * (p - ivec2(0, firstRow));
  Sum xx = Sum(0, 0);
  Sum xy = Sum(0, 0);
  Sum yy = Sum(0, 0);
  for (int y = 0; y < window; y++) {
    ivec3 row = ivec3(0);
    for (int x = 0; x < window; x++) {
      ivec2 d = texelFetch(windows, origin + ivec2(x, y), 0).yz;
      row += d.xxy * d.xyy;
    }
    add(xx, row.x);
    add(xy, row.y);
    add(yy, row.z);
  }
  Wide determinant = difference(product(xx, yy), product(xy, xy));
  uvec3 bits = determinant.bits;
  if (determinant.negative || (bits.z == 0u && bits.y == 0u && bits.x < SINGULAR)) return;
  // The smaller eigenvalue as determinant divided by the larger one. This form has no cancellation.
  float apart = asFloat(Sum(xx.high - yy.high, xx.low - yy.low)) / 1048576.0;
  float mixed = asFloat(xy) / 1048576.0;
  float trace = (asFloat(xx) + asFloat(yy)) / 1048576.0;
  float size = ((float(bits.z) * 4294967296.0 + float(bits.y)) * 4294967296.0 + float(bits.x)) / 1099511627776.0;
  float smaller = 2.0 * size / (trace + sqrt(apart * apart + 4.0 * mixed * mixed)) / float(window * window);
  if (smaller < least) return;

  vec2 place = result - middle;
  vec2 last = vec2(0.0);
  for (int k = 0; k < iterations; k++) {
    vec2 at = floor(place);
    if (outOfReach(at, window, frame)) {
      found = found && finest == 0;
      break;
    }
    Mismatch b = mismatch(place, at, origin);
    vec2 go = vec2(
      quotient(difference(product(xy, b.y), product(yy, b.x)), determinant),
      quotient(difference(product(xy, b.x), product(xx, b.y)), determinant)
    );
    place += go;
    result = place + middle;
    if (go.x * go.x + go.y * go.y <= epsilon * epsilon) break;
    // Oscillates between two positions: the midpoint is the better answer.
    if (k > 0 && all(lessThan(abs(go + last), vec2(0.01)))) {
      result -= go * 0.5;
      break;
    }
    last = go;
  }
  uint residual = 0u;
  if (finest == 1 && found) {
    place = result - middle;
    vec2 at = floor(place);
    found = !outOfReach(at, window, frame);
    if (found) residual = uint(mismatch(place, at, origin).size);
  }
  point = uvec4(floatBitsToUint(result), found, residual);
}
