// Horizontal window sums for two neighbors in a texel, whose windows differ by one pixel at both ends. Samples outside
// the image add nothing.
uniform sampler2D source;
uniform int reach;
out vec4 sums;

int last;

vec4 at(int x, int y) {
  return x < 0 || x > last ? vec4(0.0) : texelFetch(source, ivec2(x, y), 0);
}

void main() {
  ivec2 p = ivec2(gl_FragCoord.xy);
  last = textureSize(source, 0).x - 1;
  bool odd = (reach & 1) == 1;
  // Texels that are completely inside both windows.
  int whole = odd ? reach >> 1 : (reach >> 1) - 1;
  vec2 sum = vec2(0.0);
  for (int x = max(p.x - whole, 0); x <= min(p.x + whole, last); x++) {
    vec4 pair = texelFetch(source, ivec2(x, p.y), 0);
    sum += pair.xy + pair.zw;
  }
  vec4 left = at(p.x - whole - 1, p.y);
  vec4 right = at(p.x + whole + 1, p.y);
  sums = vec4(sum, sum) +
    (odd ? vec4(left.zw, right.xy) : vec4(left.xy + left.zw + right.xy, left.zw + right.xy + right.zw));
}
