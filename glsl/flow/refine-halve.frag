// Every second sample of the flow, halved: one pyramid level up.
uniform sampler2D fine;
out vec4 flow;

void main() {
  ivec2 p = ivec2(gl_FragCoord.xy);
  int last = textureSize(fine, 0).x - 1;
  vec2 one = texelFetch(fine, 2 * p, 0).xy;
  vec2 two = texelFetch(fine, ivec2(min(2 * p.x + 1, last), 2 * p.y), 0).xy;
  flow = 0.5 * vec4(one, two);
}
