/**
 * For the CDN scripts: landmarks are fitted in WASM there, also where the GPU is asked for. The passes would take room
 * that is needed for the first frame, and WASM is the faster side.
 */
import type * as gpuSide from './landmarks.gpu.ts';

export const shapesOnGpu = undefined as typeof gpuSide.shapesOnGpu | undefined;
export const fitShapes = undefined as typeof gpuSide.fitShapes | undefined;
export const landmarksFitGpu: typeof gpuSide.landmarksFitGpu = () => false;
