// 1 for a peak of the accumulator with `least` to `most` votes: more than the previous distance and the previous angle,
// and at least as many as the next distance and the next angle. The counters at the border are zeros and not peaks.
uniform isampler2D votes;
uniform int least;
uniform int most;
out uint peak;

void main() {
  ivec2 p = ivec2(gl_FragCoord.xy);
  peak = 0u;
  if (any(lessThan(p, ivec2(1))) || any(greaterThanEqual(p, textureSize(votes, 0) - 1))) return;
  int v = texelFetch(votes, p, 0).r;
  if (v < least || v > most) return;
  if (v <= texelFetch(votes, p - ivec2(1, 0), 0).r || v <= texelFetch(votes, p - ivec2(0, 1), 0).r) return;
  if (v < texelFetch(votes, p + ivec2(1, 0), 0).r || v < texelFetch(votes, p + ivec2(0, 1), 0).r) return;
  peak = 1u;
}
