// Both terms as images.
#include "terms.glsl"
layout(location = 0) out uint confidenceTerm;
layout(location = 1) out uint dataTerm;

void main() {
  uvec2 terms = termsAt(ivec2(gl_FragCoord.xy) + corner);
  confidenceTerm = terms.x;
  dataTerm = terms.y;
}
