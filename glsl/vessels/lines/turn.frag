// Second derivatives across lines of four directions, four pixels per texel, 0 outside the image. Column `margin` of
// the target is the image's first, row 0 its row `first`.
uniform isampler2D mean;
uniform isampler2D difference;
uniform isampler2D mixed;
uniform int width;
uniform int first;
uniform int margin;
uniform int limit;
// cos and sin of twice the angle, for two perpendicular pairs
uniform ivec4 turns;
layout(location = 0) out ivec4 along0;
layout(location = 1) out ivec4 across0;
layout(location = 2) out ivec4 along1;
layout(location = 3) out ivec4 across1;

// Like the 16-bit instructions of the CPU (WASM): rounded products, saturated sums.
ivec4 product(ivec4 v, int factor) {
  return (v * factor + 16384) >> 15;
}

ivec4 part(ivec4 f, ivec4 d, ivec2 turn) {
  return clamp(product(f, turn.x) + product(d, turn.y), -32768, 32767);
}

void main() {
  ivec2 p = ivec2(gl_FragCoord.xy) + ivec2(-margin, first);
  along0 = across0 = along1 = across1 = ivec4(0);
  if (p.x < 0 || 4 * p.x >= width || p.y < 0 || p.y >= textureSize(mean, 0).y) return;
  ivec4 inside = ivec4(lessThan(4 * p.x + ivec4(0, 1, 2, 3), ivec4(width)));
  ivec4 m = texelFetch(mean, p, 0);
  ivec4 f = texelFetch(difference, p, 0);
  ivec4 d = texelFetch(mixed, p, 0);
  ivec4 part0 = part(f, d, turns.xy);
  ivec4 part1 = part(f, d, turns.zw);
  along0 = inside * clamp(m - part0, -limit, limit);
  across0 = inside * clamp(m + part0, -limit, limit);
  along1 = inside * clamp(m - part1, -limit, limit);
  across1 = inside * clamp(m + part1, -limit, limit);
}
