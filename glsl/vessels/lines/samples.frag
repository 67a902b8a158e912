// Every step-th pixel of a response, starting at pixel step / 2, four per texel.
uniform isampler2D source;
uniform int width;
uniform int step;
out ivec4 samples;

int at(int i, int y) {
  ivec2 p = min(ivec2((step >> 1) + i * step, (step >> 1) + y * step), ivec2(width, textureSize(source, 0).y) - 1);
  return texelFetch(source, ivec2(p.x >> 2, p.y), 0)[p.x & 3];
}

void main() {
  ivec2 p = ivec2(gl_FragCoord.xy);
  int i = 4 * p.x;
  samples = ivec4(at(i, p.y), at(i + 1, p.y), at(i + 2, p.y), at(i + 3, p.y));
}
