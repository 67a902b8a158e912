// The flow at twice the size, two neighbors per texel: twice the value, bilinear between the coarse pixels.
uniform sampler2D coarse;
uniform int width;
out vec4 flow;

vec2 at(int x, int y) {
  x = min(x, width - 1);
  vec4 pair = texelFetch(coarse, ivec2(x >> 1, min(y, textureSize(coarse, 0).y - 1)), 0);
  return (x & 1) == 0 ? pair.xy : pair.zw;
}

void main() {
  ivec2 p = ivec2(gl_FragCoord.xy);
  // The pixels 2 x and 2 x + 1 are at the coarse pixel x and halfway to the next.
  int y = p.y >> 1;
  int below = (p.y + 1) >> 1;
  vec2 here = at(p.x, y) + at(p.x, below);
  vec2 beside = at(p.x + 1, y) + at(p.x + 1, below);
  flow = vec4(here, 0.5 * (here + beside));
}
