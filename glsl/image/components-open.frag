// 1 if a block touches one with a smaller label: the labels are not final.
#include "components-links.glsl"
uniform usampler2D labels;
uniform usampler2D links;
out uint open;

void main() {
  ivec2 block = ivec2(gl_FragCoord.xy);
  uint low = lowest(labels, texelFetch(links, block, 0).r, block);
  open = low < texelFetch(labels, block, 0).r ? 1u : 0u;
}
