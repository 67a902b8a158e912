// Frangi's measure of one scale, combined with the previous scales. factor is sigma^2, negative for bright lines,
// roundness 1 / (2 beta^2), faintness 1 / (2 c^2).
uniform sampler2D first;
uniform sampler2D second;
uniform sampler2D best;
uniform sampler2D scales;
uniform float factor;
uniform float roundness;
uniform float faintness;
uniform float sigma;
uniform int fresh;
layout(location = 0) out float larger;
layout(location = 1) out float scale;

void main() {
  ivec2 p = ivec2(gl_FragCoord.xy);
  float a = factor * texelFetch(first, p, 0).r;
  float b = factor * texelFetch(second, p, 0).r;
  float ratio = a / b;
  float value = b > 0.0 ? exp(-ratio * ratio * roundness) * (1.0 - exp(-(a * a + b * b) * faintness)) : 0.0;
  float old = fresh == 1 ? 0.0 : texelFetch(best, p, 0).r;
  float oldScale = fresh == 1 ? 0.0 : texelFetch(scales, p, 0).r;
  bool wins = value > old;
  larger = wins ? value : old;
  scale = wins ? sigma : oldScale;
}
