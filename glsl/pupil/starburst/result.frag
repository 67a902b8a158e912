// Data for the read-back: the state, then the border points, two per texel.
uniform usampler2D state;
uniform usampler2D list;
out uvec4 result;

void main() {
  ivec2 p = ivec2(gl_FragCoord.xy);
  if (p.x < 3) {
    result = texelFetch(state, p, 0);
    return;
  }
  int i = 2 * (p.x - 3) + 1;
  int last = textureSize(list, 0).x - 1;
  result = uvec4(texelFetch(list, ivec2(min(i, last), p.y), 0).xy, texelFetch(list, ivec2(min(i + 1, last), p.y), 0).xy);
}
