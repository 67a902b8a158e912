/**
 * For the CDN scripts: the points are followed in WASM there, also where the GPU is asked for. The passes would take room
 * that is needed for the first frame, and WASM is the faster side.
 */
import type * as gpuSide from './track-points.gpu.ts';

export const trackPointsGpu = undefined as typeof gpuSide.trackPointsGpu | undefined;
export const searchPoints = undefined as typeof gpuSide.searchPoints | undefined;
export const readPoints = undefined as typeof gpuSide.readPoints | undefined;
export const pointsFit: typeof gpuSide.pointsFit = () => false;
