// The smallest label of each block and its neighbors.
#include "components-links.glsl"
uniform usampler2D labels;
uniform usampler2D links;
out uint lower;

void main() {
  ivec2 block = ivec2(gl_FragCoord.xy);
  lower = lowest(labels, texelFetch(links, block, 0).r, block);
}
