// Four neighboring 8-bit samples of a row in one RGBA8UI texel. Beyond the right edge the last sample is repeated.
uniform usampler2D source;
uniform int width;
out uvec4 samples;

uint at(int x, int y) {
  return texelFetch(source, ivec2(min(x, width - 1), y), 0).r;
}

void main() {
  ivec2 p = ivec2(gl_FragCoord.xy);
  int x = p.x * 4;
  samples = uvec4(at(x, p.y), at(x + 1, p.y), at(x + 2, p.y), at(x + 3, p.y));
}
