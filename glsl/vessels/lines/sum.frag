// The maximum of the sums along four lines, of the previous result and of 0, four pixels per texel. Row `first` of the
// target is row `reach` of the rotated derivatives.
uniform isampler2D along0;
uniform isampler2D across0;
uniform isampler2D along1;
uniform isampler2D across1;
uniform isampler2D before;
uniform int fresh;
uniform int first;
uniform int margin;
uniform int reach;
uniform int count;
uniform ivec2 offsets[124];
out ivec4 best;

// A sum over `count` samples starting at offsets[start]. An offset that is not a multiple of four uses parts of two
// texels. All pixels use one branch.
ivec4 sum(isampler2D turned, ivec2 p, int start) {
  ivec4 s = ivec4(0);
  for (int i = start; i < start + count; i++) {
    ivec2 offset = offsets[i];
    ivec2 q = p + ivec2(offset.x >> 2, offset.y);
    int part = offset.x & 3;
    ivec4 a = texelFetch(turned, q, 0);
    if (part == 0) {
      s += a;
      continue;
    }
    ivec4 b = texelFetch(turned, q + ivec2(1, 0), 0);
    s += part == 1 ? ivec4(a.yzw, b.x) : part == 2 ? ivec4(a.zw, b.xy) : ivec4(a.w, b.xyz);
  }
  return s;
}

void main() {
  ivec2 p = ivec2(gl_FragCoord.xy);
  ivec2 q = ivec2(p.x + margin, p.y - first + reach);
  ivec4 s = max(sum(along0, q, 0), sum(across0, q, count));
  s = max(s, max(sum(along1, q, 2 * count), sum(across1, q, 3 * count)));
  best = max(s, fresh == 1 ? ivec4(0) : texelFetch(before, p, 0));
}
