// Eigenvalues of three given planes, four pixels per texel: the paper's Hessian processing by itself.
uniform sampler2D across;
uniform sampler2D down;
uniform sampler2D diagonal;
layout(location = 0) out vec4 lambda1;
layout(location = 1) out vec4 lambda2;

#include "../../../glsl/vessels/hessian/solve.glsl"

void main() {
  ivec2 p = ivec2(gl_FragCoord.xy);
  solve(
    texelFetch(across, p, 0),
    texelFetch(down, p, 0),
    texelFetch(diagonal, p, 0),
    0,
    lambda1,
    lambda2
  );
}
