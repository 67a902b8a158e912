// IH, IV and ID as Sobel derivatives of Sobel derivatives, two 3x3 filters combined to 5x5, and the eigenvalues.
uniform usampler2D source;
uniform float unit;
uniform int ordered;
layout(location = 0) out float lambda1;
layout(location = 1) out float lambda2;

#include "./solve.glsl"

const float SMOOTH[5] = float[5](1.0, 4.0, 6.0, 4.0, 1.0);
const float FIRST[5] = float[5](-1.0, -2.0, 0.0, 2.0, 1.0);
const float SECOND[5] = float[5](1.0, 0.0, -2.0, 0.0, 1.0);

void main() {
  ivec2 p = ivec2(gl_FragCoord.xy);
  ivec2 last = textureSize(source, 0) - 1;
  vec3 h = vec3(0.0);
  for (int y = 0; y < 5; y++)
    for (int x = 0; x < 5; x++) {
      float level = float(texelFetch(source, clamp(p + ivec2(x, y) - 2, ivec2(0), last), 0).r);
      h += level * vec3(SECOND[x] * SMOOTH[y], SMOOTH[x] * SECOND[y], FIRST[x] * FIRST[y]);
    }
  h *= unit;
  solve(h.x, h.y, h.z, ordered, lambda1, lambda2);
}
