// First stage of the detector's cascade, one window per pixel: whether its gray values vary more than the threshold.
// With S = sum (v - 128), Q = sum (v - 128)^2 and A pixels, variance > t is Q A - S^2 > t A^2. These are integers of up
// to 57 bits, stored in two words, so that this test and the one in assembly/objects/detector-variance.ts agree.
uniform usampler2D windows; // x, y, number of the scale, 0xffff: no window here
uniform usampler2D scales; // width, height, floor(t A^2) in two words, the high one first
uniform usampler2D sums;
uniform usampler2D squares;
uniform int largest; // maximum number of pixels whose sum of squares is guaranteed to fit 32 bits
out uint accepted;

uint windowSum(usampler2D image, ivec2 from, ivec2 to) {
  return texelFetch(image, to, 0).r - texelFetch(image, ivec2(from.x, to.y), 0).r -
    texelFetch(image, ivec2(to.x, from.y), 0).r + texelFetch(image, from, 0).r;
}

// a * b: high word, low word.
uvec2 product(uint a, uint b) {
  uint al = a & 0xffffu;
  uint ah = a >> 16;
  uint bl = b & 0xffffu;
  uint bh = b >> 16;
  uint low = al * bl;
  uint middle = ah * bl + (low >> 16); // at most (2^16 - 1)^2 + 2^16 - 1: fits
  uint second = al * bh + (middle & 0xffffu);
  return uvec2(ah * bh + (middle >> 16) + (second >> 16), (second << 16) | (low & 0xffffu));
}

void main() {
  uvec4 window = texelFetch(windows, ivec2(gl_FragCoord.xy), 0);
  accepted = 0u;
  if (window.z == 0xffffu) return;
  uvec4 scale = texelFetch(scales, ivec2(int(window.z), 0), 0);
  int width = int(scale.x);
  int height = int(scale.y);
  int area = width * height;
  int rows = area > largest ? max(1, largest / width) : height;
  int s = 0;
  uvec2 q = uvec2(0u);
  for (int row = 0; row < height; row += rows) {
    int end = min(height, row + rows);
    ivec2 from = ivec2(window.xy) + ivec2(0, row);
    ivec2 to = ivec2(int(window.x) + width, int(window.y) + end);
    s += int(windowSum(sums, from, to)) - 128 * (end - row) * width;
    uint square = windowSum(squares, from, to);
    q.y += square;
    if (q.y < square) q.x++;
  }
  uint magnitude = uint(abs(s));
  uvec2 ss = product(magnitude, magnitude);
  uvec2 qa = product(q.y, uint(area));
  qa.x += q.x * uint(area);
  uvec2 difference = uvec2(qa.x - ss.x - (qa.y < ss.y ? 1u : 0u), qa.y - ss.y);
  if (difference.x > scale.z || (difference.x == scale.z && difference.y > scale.w)) accepted = 1u;
}
