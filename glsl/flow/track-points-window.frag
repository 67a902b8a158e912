// One sample of the window of a point in the first frame: gray level with 5 fractional bits, x and y derivative
// (Scharr, 0 outside the frame). A cell of window x window texels per point. 16 fetches of the frame.
#include "track-points-window.glsl"
uniform usampler2D frame;
uniform usampler2D points;
uniform int window;
uniform int firstRow;
uniform float scale;
out ivec4 sampled;

void main() {
  ivec2 p = ivec2(gl_FragCoord.xy);
  ivec2 cell = p / window;
  vec2 point = uintBitsToFloat(texelFetch(points, cell + ivec2(0, firstRow), 0).xy);
  vec2 place = point * scale - float(window >> 1);
  vec2 corner = floor(place);
  ivec2 size = textureSize(frame, 0);
  sampled = ivec4(0);
  if (outOfReach(corner, window, size)) return;
  ivec2 q = ivec2(corner) + p - cell * window;
  ivec4 rows[4];
  for (int j = 0; j < 4; j++) {
    int y = mirrored(q.y + j - 1, size.y - 1);
    for (int i = 0; i < 4; i++)
      rows[j][i] = int(texelFetch(frame, ivec2(mirrored(q.x + i - 1, size.x - 1), y), 0).r);
  }
  ivec4 w = weightsOf(place - corner);
  ivec4 gray = ivec4(rows[1].yz, rows[2].yz);
  ivec4 top = 3 * (rows[0] + rows[2]) + 10 * rows[1];
  ivec4 low = 3 * (rows[1] + rows[3]) + 10 * rows[2];
  ivec4 dx = ivec4(top.zw - top.xy, low.zw - low.xy);
  ivec4 one = rows[2] - rows[0];
  ivec4 two = rows[3] - rows[1];
  ivec4 dy = ivec4(3 * (one.xy + one.zw) + 10 * one.yz, 3 * (two.xy + two.zw) + 10 * two.yz);
  bvec2 in0 = bvec2(q.x >= 0 && q.x < size.x, q.y >= 0 && q.y < size.y);
  bvec2 in1 = bvec2(q.x + 1 >= 0 && q.x + 1 < size.x, q.y + 1 >= 0 && q.y + 1 < size.y);
  sampled.x = (total(gray * w) + 256) >> 9;
  w *= ivec4(in0.x && in0.y, in1.x && in0.y, in0.x && in1.y, in1.x && in1.y);
  sampled.y = (total(dx * w) + 8192) >> 14;
  sampled.z = (total(dy * w) + 8192) >> 14;
}
