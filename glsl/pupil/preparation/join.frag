// Level and reflection in one sample, if separate passes computed them. PLAIN: the levels have one sample per texel.
uniform usampler2D levels;
#ifdef SPOTS
uniform usampler2D spots;
#endif
out uvec4 prepared;

void main() {
  ivec2 p = ivec2(gl_FragCoord.xy);
#if defined(PLAIN) && defined(PACKED)
  ivec2 q = ivec2(4 * p.x, p.y);
  int last = textureSize(levels, 0).x - 1;
  uvec4 v = uvec4(
    texelFetch(levels, q, 0).r,
    texelFetch(levels, ivec2(min(q.x + 1, last), q.y), 0).r,
    texelFetch(levels, ivec2(min(q.x + 2, last), q.y), 0).r,
    texelFetch(levels, ivec2(min(q.x + 3, last), q.y), 0).r
  );
#else
  uvec4 v = texelFetch(levels, p, 0);
#endif
#ifdef SPOTS
  v += 256u * min(texelFetch(spots, p, 0), uvec4(1u));
#endif
  prepared = v;
}
