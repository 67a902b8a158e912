// Second stage of the detector's cascade, one remaining window per pixel: the codes of its ferns. They are 10 times 13
// outcomes of comparisons on the blurred image, the first as the highest bit. Packed: two codes in the low 26 bits of
// each word. The other 6 bits of the first two words and bit 30 of `place` are code 8. Those of the last two words and
// bit 31 are code 9.
uniform usampler2D survivors; // positions of the windows that passed, 0xffffffff after the last
uniform usampler2D windows;
uniform usampler2D image;
uniform isampler2D points; // x1, y1, x2, y2 of each comparison, one row per scale
uniform int first; // number of the first survivor of this draw
layout(location = 0) out uvec4 codes;
layout(location = 1) out uint place;

uint code(int fern, ivec2 corner, int scale) {
  uint bits = 0u;
  for (int c = 13 * fern; c < 13 * fern + 13; c++) {
    ivec4 p = texelFetch(points, ivec2(c, scale), 0);
    uint a = texelFetch(image, corner + p.xy, 0).r;
    uint b = texelFetch(image, corner + p.zw, 0).r;
    bits = (bits << 1) | (a > b ? 1u : 0u);
  }
  return bits;
}

void main() {
  codes = uvec4(0u);
  place = 0xffffffffu;
  int number = first + int(gl_FragCoord.y) * WIDTH + int(gl_FragCoord.x);
  ivec2 size = textureSize(survivors, 0);
  if (number >= size.x * size.y) return;
  uint at = texelFetch(survivors, ivec2(number % size.x, number / size.x), 0).r;
  if (at == 0xffffffffu) return;
  uvec4 window = texelFetch(windows, ivec2(int(at) % size.x, int(at) / size.x), 0);
  ivec2 corner = ivec2(window.xy);
  int scale = int(window.z);
  uvec4 even = uvec4(code(0, corner, scale), code(2, corner, scale), code(4, corner, scale), code(6, corner, scale));
  uvec4 odd = uvec4(code(1, corner, scale), code(3, corner, scale), code(5, corner, scale), code(7, corner, scale));
  uint eighth = code(8, corner, scale);
  uint ninth = code(9, corner, scale);
  uvec4 rest = uvec4(eighth, eighth >> 6, ninth, ninth >> 6) & 63u;
  codes = even | (odd << 13) | (rest << 26);
  place = at | ((eighth >> 12) << 30) | ((ninth >> 12) << 31);
}
