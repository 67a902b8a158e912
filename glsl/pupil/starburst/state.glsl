// The state of a search, three texels: (x, y, r as float bits, votes), (status, border points, rounds, 0) and (reach,
// threshold of the step, 0, 0). Searches are below each other. A finished search makes every later pass a no-op.
uniform usampler2D state;

const uint RUNNING = 0u;
const uint CONVERGED = 1u;
const uint FAILED = 2u;
const uint ESCAPED = 3u;

bool running(int search) {
  return texelFetch(state, ivec2(1, search), 0).x == RUNNING;
}
