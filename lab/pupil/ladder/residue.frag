// The pointwise steps one by one, for the ladder: difference of two images, or threshold of one.
uniform usampler2D source;
#ifdef THRESHOLD
uniform uint level;
#else
uniform usampler2D opened;
#endif
out uvec4 result;

void main() {
  uvec4 v = texelFetch(source, ivec2(gl_FragCoord.xy), 0);
#ifdef THRESHOLD
  result = 255u * uvec4(greaterThan(v, uvec4(level)));
#else
  result = v - texelFetch(opened, ivec2(gl_FragCoord.xy), 0);
#endif
}
