// Gaussian along one axis, one pixel per texel, border replicated.
uniform SAMPLER source;
uniform int vertical;
uniform int radius;
uniform float taps[129];
out float sum;

float at(ivec2 p, int i, ivec2 last) {
  ivec2 q = p + (vertical == 1 ? ivec2(0, i) : ivec2(i, 0));
  return float(texelFetch(source, clamp(q, ivec2(0), last), 0).x);
}

void main() {
  ivec2 p = ivec2(gl_FragCoord.xy);
  ivec2 last = textureSize(source, 0) - 1;
  float s = taps[0] * at(p, 0, last);
  for (int i = 1; i <= radius; i++) s += taps[i] * (at(p, -i, last) + at(p, i, last));
  sum = s;
}
