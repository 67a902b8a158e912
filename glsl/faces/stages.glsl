// The cascade over one window. A stage has a texel in `stages`: first node, number of trees, threshold in fixed point.
// A node (src/faces/cascade-texture.ts) follows figure 4.12 of the thesis. A rectangle has one word, one byte each for
// x, y, width and height. If a rectangle is compared with one half of it, the node has two samples per word instead.
// SCALED by rounding, rectangles have two words and weights are floats. HEAD: number of texels of the first nodes that
// are uniforms, because all windows read them at once. For a GPU, a fetch of four words is as slow as four fetches.
uniform usampler2D sums;
#ifdef HEAD
uniform uvec4 head[HEAD];
#else
uniform usampler2D nodes;
#endif
uniform isampler2D stages;

int inRectangle(ivec2 p, ivec2 size) {
  return int((texelFetch(sums, p, 0).r - texelFetch(sums, p + ivec2(size.x, 0), 0).r) +
    (texelFetch(sums, p + size, 0).r - texelFetch(sums, p + ivec2(0, size.y), 0).r));
}

uvec4 texel(int i) {
#ifdef HEAD
  return head[i];
#else
  return texelFetch(nodes, ivec2(i & 2047, i >> 11), 0);
#endif
}

struct Node {
  float value;
  float threshold;
  int left;
  int right;
  /**
   * Offsets to the left and right child, in nodes from the root, one byte each, 0 for a leaf, then the number of nodes
   * of the tree.
   */
  uint tree;
};

#ifdef SCALED
const int TEXELS = 4;

int part(ivec2 corner, uvec2 r) {
  return inRectangle(corner + ivec2(r.x & 0xffffu, r.x >> 16), ivec2(r.y & 0xffffu, r.y >> 16));
}

Node nodeAt(int i, ivec2 corner) {
  uvec4 first = texel(i);
  uvec4 second = texel(i + 1);
  uvec4 weights = texel(i + 2);
  uvec4 leaves = texel(i + 3);
  float value = float(part(corner, first.xy)) * uintBitsToFloat(weights.x) +
    float(part(corner, first.zw)) * uintBitsToFloat(weights.y);
  if (weights.z != 0u) value += float(part(corner, second.xy)) * uintBitsToFloat(weights.z);
  return Node(value, uintBitsToFloat(second.z), int(leaves.x), int(leaves.y), second.w);
}
#else
const int TEXELS = 2;
/** Marks halves in place of weights. */
const uint HALVES = 0x1000000u;

int part(ivec2 corner, uint r) {
  return inRectangle(corner + ivec2(r & 255u, (r >> 8) & 255u), ivec2((r >> 16) & 255u, r >> 24));
}

/** A byte of a word as an integer from -128 to 127. */
int weight(uint word, int shift) {
  return int(word << (24 - shift)) >> 24;
}

/**
 * The sample at the corner and the lower half of a word, minus the one at the upper half: one byte each for x and y.
 */
int step_(ivec2 corner, uint word) {
  return int(texelFetch(sums, corner + ivec2(word & 255u, (word >> 8) & 255u), 0).r -
    texelFetch(sums, corner + ivec2((word >> 16) & 255u, word >> 24), 0).r);
}

Node nodeAt(int i, ivec2 corner) {
  uvec4 first = texel(i);
  uvec4 second = texel(i + 1);
  // Two halves of one rectangle share an edge, so six samples are enough.
  if (first.w == HALVES)
    return Node(
      float(step_(corner, first.x) - step_(corner, first.y) + 2 * step_(corner, first.z)),
      uintBitsToFloat(second.x), int(second.y), int(second.z), second.w
    );
  int value = part(corner, first.x) * weight(first.w, 0) + part(corner, first.y) * weight(first.w, 8);
  int third = weight(first.w, 16);
  if (third != 0) value += part(corner, first.z) * third;
  return Node(float(value), uintBitsToFloat(second.x), int(second.y), int(second.z), second.w);
}
#endif

/** Whether a window passes the stages from `range.x` up to `range.y`. `base`: first texel of its scale's nodes. */
bool passesStages(ivec2 corner, float factor, ivec2 range, int base) {
  for (int s = range.x; s < range.y; s++) {
    ivec4 stage = texelFetch(stages, ivec2(s, 0), 0);
    int root = base + stage.x * TEXELS;
    int sum = 0;
    for (int t = 0; t < stage.y; t++) {
      Node node = nodeAt(root, corner);
      int size = int(node.tree >> 16);
#ifdef TREES
      for (;;) {
        bool right = node.value * factor >= node.threshold;
        int next = int(right ? (node.tree >> 8) & 255u : node.tree & 255u);
        if (next == 0) {
          sum += right ? node.right : node.left;
          break;
        }
        node = nodeAt(root + next * TEXELS, corner);
      }
#else
      sum += node.value * factor >= node.threshold ? node.right : node.left;
#endif
      root += size * TEXELS;
    }
    if (sum < stage.z) return false;
  }
  return true;
}
