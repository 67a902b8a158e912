// The flow of two neighbors in a texel, in the format of the dense flow passes.
uniform sampler2D found;
out vec4 flow;

void main() {
  ivec2 p = ivec2(gl_FragCoord.xy);
  int last = textureSize(found, 0).x - 1;
  vec2 one = texelFetch(found, ivec2(2 * p.x, p.y), 0).xy;
  flow = vec4(one, texelFetch(found, ivec2(min(2 * p.x + 1, last), p.y), 0).xy);
}
