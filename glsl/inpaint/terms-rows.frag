// Values for a row of a window of SIDE pixels. The first two are the maximum squared gradient and the first gradient
// with this value, in two halves of 16 bits. Then follows the sum of the confidences in two halves. The upper byte of
// the first half is the number of unknown pixels. The values of a window are the first maximum, and the sums, over its
// rows. This needs fetches of a column instead of a square.
uniform usampler2D image;
uniform usampler2D confidences;
uniform ivec2 corner;
out uvec4 row;

const int REACH = SIDE / 2;
ivec2 size;

uvec4 at(int x, int y) {
  return texelFetch(image, clamp(ivec2(x, y), ivec2(0), size - 1), 0);
}

int grayOf(uvec4 c) {
  return int((9798u * c.r + 19235u * c.g + 3735u * c.b + 16384u) >> 15);
}

void main() {
  ivec2 p = ivec2(gl_FragCoord.xy) + corner - ivec2(0, REACH);
  size = textureSize(image, 0);
  int strongest = 0;
  ivec2 gradient = ivec2(0);
  uvec2 sum = uvec2(0u);
  uint holes = 0u;
  uvec4 left = at(p.x - REACH - 1, p.y);
  uvec4 here = at(p.x - REACH, p.y);
  for (int k = 0; k < SIDE; k++) {
    int x = p.x - REACH + k;
    uvec4 right = at(x + 1, p.y);
    uvec4 above = at(x, p.y - 1);
    uvec4 below = at(x, p.y + 1);
    // Doubled central differences, 0 if one of the five pixels is unknown or outside the image.
    bool whole = x > 0 && p.y > 0 && x < size.x - 1 && p.y < size.y - 1;
    ivec2 g = ivec2(grayOf(right) - grayOf(left), grayOf(below) - grayOf(above));
    int square = whole ? int(left.a * here.a * right.a * above.a * below.a) * (g.x * g.x + g.y * g.y) : 0;
    if (square > strongest) {
      strongest = square;
      gradient = g;
    }
    uint c = texelFetch(confidences, clamp(ivec2(x, p.y), ivec2(0), size - 1), 0).r;
    if (x >= 0 && x < size.x) {
      sum += uvec2(c >> 16, c & 0xffffu);
      holes += 1u - here.a;
    }
    left = here;
    here = right;
  }
  uvec2 halves = uvec2(gradient + 32768);
  row = uvec4(uint(strongest), (halves.x << 16) | halves.y, sum.x | (holes << 24), sum.y);
}
