/**
 * Switches of the GPU path, one for each counterpart of the paper's optimisations (paper 000, section 4). Not public:
 * the ladder bench turns them off one by one.
 */
import type { GpuSide, Region, Texture } from '../../runtime/gpu-side.ts';

export interface Ladder {
  /** RANSAC's random numbers are drawn once; off: for every frame. */
  readonly ransacTable: boolean;
  /** Windows and Gaussian across, then down; off: k x k samples at once. */
  readonly separable: boolean;
  /** Four samples a texel; off: one. */
  readonly packed: boolean;
  /** Top-hat with threshold, Gaussian with dilation, steps with search, fits with votes in one pass each. */
  readonly fused: boolean;
  /** Only the surroundings of the last pupil are uploaded in tracking; off: the whole frame. */
  readonly region: boolean;
  /** Those surroundings, to either side, in lengths of the longest rays. */
  readonly window: number;
  /** Rounds that are enqueued at once in tracking; further ones when that was not enough. */
  readonly rounds: number;
  /** Reads a result; default: through a pixel-pack buffer and a fence. */
  readonly read: ((side: GpuSide, texture: Texture, region: Region) => Promise<Uint8Array>) | null;
}

export const allOptimisations: Ladder = {
  ransacTable: true,
  separable: true,
  packed: true,
  fused: true,
  region: true,
  window: 0.75,
  rounds: 2,
  read: null,
};
