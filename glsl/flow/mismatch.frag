// What one pixel adds to the right-hand side: g (I - J(x + u) + g^T u), or with RESIDUAL (I - J(x + u))^2. The
// derivatives stay 32 times too large. A pixel whose flow points outside of the frame has the difference 0.
uniform usampler2D previous;
uniform usampler2D next;
#ifndef RESIDUAL
uniform isampler2D gradient;
#endif
uniform sampler2D flow;
out vec2 products;

float at(int x, int y) {
  return float(texelFetch(next, ivec2(x, y), 0).r);
}

void main() {
  ivec2 p = ivec2(gl_FragCoord.xy);
  ivec2 size = textureSize(next, 0);
  vec2 last = vec2(size - 1);
  vec2 u = texelFetch(flow, p, 0).rg;
  vec2 place = vec2(p) + u;
  vec2 held = clamp(place, vec2(0.0), last);
  ivec2 corner = min(ivec2(held), max(size - 2, 0));
  ivec2 other = min(corner + 1, size - 1);
  vec2 f = held - vec2(corner);
  float top = mix(at(corner.x, corner.y), at(other.x, corner.y), f.x);
  float low = mix(at(corner.x, other.y), at(other.x, other.y), f.x);
  float difference = float(texelFetch(previous, p, 0).r) - mix(top, low, f.y);
  if (place != held) difference = 0.0;
#ifdef RESIDUAL
  products = vec2(difference * difference, 0.0);
#else
  vec2 g = vec2(texelFetch(gradient, p, 0).rg);
  products = g * (difference + dot(g, u) / 32.0);
#endif
}
