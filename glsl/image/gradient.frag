// SCALAR int or float, with a matching SAMPLER. [-1 0 1] across times [side center side] along: Sobel 1 2 1, Scharr 3
// 10 3. Correlation, unscaled, border replicated.
uniform SAMPLER source;
uniform SCALAR side;
uniform SCALAR center;
layout(location = 0) out SCALAR dx;
layout(location = 1) out SCALAR dy;

ivec2 last;

SCALAR at(ivec2 p) {
  return SCALAR(texelFetch(source, clamp(p, ivec2(0), last), 0).r);
}

void main() {
  ivec2 p = ivec2(gl_FragCoord.xy);
  last = textureSize(source, 0) - 1;
  SCALAR a = at(p + ivec2(-1, -1)), b = at(p + ivec2(0, -1)), c = at(p + ivec2(1, -1));
  SCALAR d = at(p + ivec2(-1, 0)), f = at(p + ivec2(1, 0));
  SCALAR g = at(p + ivec2(-1, 1)), h = at(p + ivec2(0, 1)), i = at(p + ivec2(1, 1));
  dx = side * (c + i) + center * f - (side * (a + g) + center * d);
  dy = side * (g - a + (i - c)) + center * (h - b);
}
