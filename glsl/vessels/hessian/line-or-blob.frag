// Strength of a line or a blob from the eigenvalues, |first| <= |second|. The sign of the factor is the sign of the
// target eigenvalues.
uniform sampler2D first;
uniform sampler2D second;
uniform float factor;
uniform int blob;
out float strength;

void main() {
  ivec2 p = ivec2(gl_FragCoord.xy);
  float a = factor * texelFetch(first, p, 0).r;
  float b = factor * texelFetch(second, p, 0).r;
  strength = max(0.0, blob == 1 ? min(a, b) : b - abs(a));
}
