/** For the CDN scripts, which are at their limit of bytes: edges are found in WASM there, and voted for on the GPU. */
import type * as Gpu from './edges.gpu.ts';

export const edgesInside: typeof Gpu.edgesInside = false;
export const GpuEdges = null as unknown as typeof Gpu.GpuEdges;
export const edgePasses: typeof Gpu.edgePasses = () => [];
export const onEither: typeof Gpu.onEither = (_, find) => find(false);
