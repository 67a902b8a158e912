// (Y - 16) * 255 / 219, rounded and clamped. 219 is odd, so there are no halves to round.
uniform usampler2D source;
out uint luma;

void main() {
  int y = int(texelFetch(source, ivec2(gl_FragCoord.xy), 0).r);
  luma = uint(clamp((max(y - 16, 0) * 510 + 219) / 438, 0, 255));
}
