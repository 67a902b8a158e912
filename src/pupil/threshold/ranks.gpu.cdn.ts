/** For the CDN scripts, which are at their limit of bytes: thresholds are applied in WASM there. */
import type * as Gpu from './ranks.gpu.ts';

export type { Ranked } from './ranks.gpu.ts';
export const ranksInside: typeof Gpu.ranksInside = false;
export const GpuRanks = null as unknown as typeof Gpu.GpuRanks;
export const rankPasses: typeof Gpu.rankPasses = () => [];
