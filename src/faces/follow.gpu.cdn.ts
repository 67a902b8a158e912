/** For the CDN scripts, which follow points in WASM: it is never called. */
import type * as gpuSide from './follow.gpu.ts';

export type { Followed, FollowedFace } from './follow.gpu.ts';
export const followOnGpu = undefined as typeof gpuSide.followOnGpu | undefined;
