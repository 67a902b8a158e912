// A counter of the Hough transform for lines: the number of edge pixels whose distance at this angle rounds to the
// counter's distance. The line is followed through the rows or, if it is flat, through the columns. In each a few
// pixels can vote, and these are read from bits (lines-bits.frag). Only the products of lines-products.frag decide
// whether a pixel votes.
uniform usampler2D rows;
uniform usampler2D columns;
uniform usampler2D tables;
uniform usampler2D products;
uniform ivec2 size;
uniform int distances;
out int votes;

float product(int i, int angle, bool sine) {
  uvec2 both = texelFetch(products, ivec2(i, angle), 0).rg;
  return uintBitsToFloat(sine ? both.g : both.r);
}

void main() {
  votes = 0;
  // One counter of zeros surrounds all others. With few distances the outermost votes can round to the counters next to
  // a row.
  ivec2 p = ivec2(gl_FragCoord.xy) - 1;
  int angle = p.y;
  if (angle < 0 || angle >= textureSize(tables, 0).x) return;
  int wanted = p.x - ((distances - 1) >> 1);
  vec2 table = uintBitsToFloat(texelFetch(tables, ivec2(angle, 0), 0).rg);
  // Steep lines: `along` iterates over the pixels of a row, `across` over the rows. Flat lines: the opposite.
  bool steep = abs(table.x) >= abs(table.y);
  float along = steep ? table.x : table.y;
  float across = steep ? table.y : table.x;
  ivec2 extent = steep ? size : size.yx;
  float low = float(wanted) - 0.5;
  float high = float(wanted) + 0.5;
  // Rows where the line can be inside the image, or all rows if it is nearly upright. Rounding moves a border by less
  // than one row at 32768 pixels.
  int first = 0;
  int last = extent.y - 1;
  if (abs(across) > 0.01 * abs(along)) {
    float far = along * float(extent.x - 1);
    vec2 ends = vec2(low - max(far, 0.0), high - min(far, 0.0)) / across;
    first = max(first, int(floor(min(ends.x, ends.y))) - 2);
    last = min(last, int(ceil(max(ends.x, ends.y))) + 2);
  }
  for (int j = first; j <= last; j++) {
    vec2 ends = (vec2(low, high) - across * float(j)) / along;
    // Rounding cannot move a border by a tenth of a pixel.
    int begin = max(0, int(ceil(min(ends.x, ends.y) - 0.1)));
    int end = min(extent.x - 1, int(floor(max(ends.x, ends.y) + 0.1)));
    if (begin > end) continue;
    for (int word = begin >> 5; word <= end >> 5; word++) {
      uint bits = steep ? texelFetch(rows, ivec2(word, j), 0).r : texelFetch(columns, ivec2(word, j), 0).r;
      bits &= 0xffffffffu << max(begin - 32 * word, 0);
      bits &= 0xffffffffu >> (31 - min(end - 32 * word, 31));
      if (bits == 0u) continue;
      float rest = product(j, angle, steep);
      for (; bits != 0u; bits &= bits - 1u) {
        // The exponent of a power of two as a float is its logarithm.
        int k = int(floatBitsToUint(float(bits & (~bits + 1u))) >> 23) - 127;
        if (int(roundEven(product(32 * word + k, angle, !steep) + rest)) == wanted) votes++;
      }
    }
  }
}
