/** For the CDN scripts, which follow faces in WASM: see src/flow/track-points.gpu.cdn.ts. */
function* never() {
  return null;
}

export const tryGpu = never;
export const tryLandmarks = never;
