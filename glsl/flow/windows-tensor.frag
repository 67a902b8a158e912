// The structure tensor of the window of each pixel of the frame on a level, with a mark if its smaller eigenvalue or
// its determinant is too small for tracking. Pixels of the frame are between the samples of a coarser level.
#include "windows-fixed.glsl"
#include "windows-exact.glsl"
uniform isampler2D samples;
uniform float scale;
uniform int window;
uniform float least;
out ivec4 tensor;

const float UNIT = 1048576.0;

void main() {
  vec2 place = floor(gl_FragCoord.xy) * scale - float(window >> 1);
  ivec2 corner = ivec2(floor(place));
  ivec4 w = weightsOf(place - floor(place));
  Total total = Total(ivec3(0), ivec3(0));
  for (int j = 0; j < window; j++) {
    ivec3 row = ivec3(0);
    ivec2 at = corner + ivec2(0, j);
    ivec3 a = sampleAt(samples, at);
    ivec3 c = sampleAt(samples, at + ivec2(0, 1));
    for (int i = 0; i < window; i++) {
      at.x++;
      ivec3 b = sampleAt(samples, at);
      ivec3 d = sampleAt(samples, at + ivec2(0, 1));
      ivec2 g = between(a, b, c, d, w).yz;
      row += ivec3(g.x * g.x, g.x * g.y, g.y * g.y);
      a = b;
      c = d;
    }
    include(total, row);
  }
  total = carried(total);
  ivec3 xx = limbs(total.high.x, total.low.x);
  ivec3 xy = limbs(total.high.y, total.low.y);
  ivec3 yy = limbs(total.high.z, total.low.z);
  // In OpenCV's unit. The smaller eigenvalue is the determinant divided by the larger one, which keeps its digits.
  vec3 m = (vec3(total.high) * 65536.0 + vec3(total.low)) / UNIT;
  float determinant = sizeOf(difference(xx, yy, xy, xy)) / UNIT / UNIT;
  float step = m.x - m.z;
  float larger = 0.5 * (m.x + m.z + sqrt(step * step + 4.0 * m.y * m.y));
  float smaller = larger > 0.0 ? determinant / larger / float(window * window) : 0.0;
  // Epsilon of 32-bit floats.
  tensor = packed(total, smaller < least || determinant < 1.1920929e-7);
}
