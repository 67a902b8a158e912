// Contribution of two neighbors to the right-hand side: g (I - J(x + u) + g^T u), or with RESIDUAL (I - J(x + u))^2.
// The derivatives are still 32 times too large. A pixel whose flow points outside the frame has the difference 0. A
// missing second pixel adds nothing.
uniform usampler2D previous;
uniform usampler2D next;
#ifndef RESIDUAL
uniform isampler2D gradient;
#endif
uniform sampler2D flow;
out vec4 products;

float at(int x, int y) {
  return float(texelFetch(next, ivec2(x, y), 0).r);
}

float difference(ivec2 p, vec2 u) {
  ivec2 size = textureSize(next, 0);
  if (p.x >= size.x) return 0.0;
  vec2 place = vec2(p) + u;
  vec2 held = clamp(place, vec2(0.0), vec2(size - 1));
  if (place != held) return 0.0;
  ivec2 corner = min(ivec2(held), max(size - 2, 0));
  ivec2 other = min(corner + 1, size - 1);
  vec2 f = held - vec2(corner);
  float top = mix(at(corner.x, corner.y), at(other.x, corner.y), f.x);
  float low = mix(at(corner.x, other.y), at(other.x, other.y), f.x);
  return float(texelFetch(previous, p, 0).r) - mix(top, low, f.y);
}

void main() {
  ivec2 p = ivec2(gl_FragCoord.xy);
  ivec2 first = ivec2(2 * p.x, p.y);
  vec4 u = texelFetch(flow, p, 0);
  vec2 d = vec2(difference(first, u.xy), difference(first + ivec2(1, 0), u.zw));
#ifdef RESIDUAL
  products = vec4(d.x * d.x, 0.0, d.y * d.y, 0.0);
#else
  vec4 g = vec4(texelFetch(gradient, p, 0));
  products = vec4(g.xy * (d.x + dot(g.xy, u.xy) / 32.0), g.zw * (d.y + dot(g.zw, u.zw) / 32.0));
  if (first.x + 1 >= textureSize(next, 0).x) products.zw = vec2(0.0);
#endif
}
