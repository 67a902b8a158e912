// 1 for the first pixel of each component: the one that its label refers to.
uniform usampler2D labels;
uniform uint width;
out uint first;

void main() {
  uvec2 p = uvec2(gl_FragCoord.xy);
  first = texelFetch(labels, ivec2(p >> 1u), 0).r == p.y * width + p.x ? 1u : 0u;
}
