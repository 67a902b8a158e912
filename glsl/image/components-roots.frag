// Follows labels: the block that a label refers to has a label itself, or a hook, which is smaller, until one refers to
// its own block. At most HOPS steps, because every pass shortens the remaining paths by this factor.
#include "components-links.glsl"
uniform usampler2D labels;
uniform usampler2D hooks;
uniform uint width;
out uint root;

void main() {
  root = texelFetch(labels, ivec2(gl_FragCoord.xy), 0).r;
  if (root == NONE) return;
  for (int k = 0; k < HOPS; k++) {
    ivec2 block = blockOf(root, width);
    uint next = texelFetch(hooks, block, 0).r;
    if (next == NONE) next = texelFetch(labels, block, 0).r;
    if (next == root) return;
    root = next;
  }
}
