// Sobel derivatives across, down and along the diagonal, border replicated.
uniform usampler2D source;
uniform float unit;
out vec4 derivatives;

float at(ivec2 p) {
  return float(texelFetch(source, clamp(p, ivec2(0), textureSize(source, 0) - 1), 0).r);
}

void main() {
  ivec2 p = ivec2(gl_FragCoord.xy);
  float nw = at(p + ivec2(-1, -1)), n = at(p + ivec2(0, -1)), ne = at(p + ivec2(1, -1));
  float w = at(p + ivec2(-1, 0)), e = at(p + ivec2(1, 0));
  float sw = at(p + ivec2(-1, 1)), s = at(p + ivec2(0, 1)), se = at(p + ivec2(1, 1));
  derivatives = unit * vec4(
    ne - nw + 2.0 * (e - w) + (se - sw),
    sw - nw + 2.0 * (s - n) + (se - ne),
    2.0 * (se - nw) + (s - n) + (e - w),
    0.0
  );
}
