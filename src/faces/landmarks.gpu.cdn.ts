/**
 * For the CDN scripts: landmarks are fitted in WASM there, also where the GPU is asked for. The passes would take room
 * that is needed for the first frame, and WASM is the faster side.
 */
export const landmarksGpu = {};
