// Votes that blending added up as floats, as whole numbers.
uniform sampler2D votes;
out int count;

void main() {
  count = int(texelFetch(votes, ivec2(gl_FragCoord.xy), 0).r + 0.5);
}
