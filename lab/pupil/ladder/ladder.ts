/**
 * The paper's optimizations of the GPU path (paper 000, section 4), each with its slower form, for the ladder bench: what
 * is shipped has none of these switches.
 */
import { GpuRays, shippedParts, type RayParts } from '../../../src/pupil/starburst/starburst.gpu.ts';
import { StarburstMethod } from '../../../src/pupil/starburst/starburst.ts';
import { shippedMethods, type Methods } from '../../../src/pupil/tracker/tracker.ts';
import type { PupilValues } from '../../../src/pupil/parameters.ts';
import type { Runtime } from '../../../src/runtime/runtime.ts';
import { LadderPreparation } from './preparation.ts';
import { LadderRaySearch } from './ray-search.ts';

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
  /** A program for each radius; off: the radius is a uniform, so that no loop unrolls. */
  readonly unrolled: boolean;
  /** Textures come from a pool; off: they are made and deleted in each frame. */
  readonly pool: boolean;
  /** Rounds that are enqueued at once in tracking; further ones when that was not enough. */
  readonly rounds: number;
  /** Reads a result; null: as shipped. */
  readonly read: RayParts['read'] | null;
}

export const allOptimizations: Ladder = {
  ransacTable: true,
  separable: true,
  packed: true,
  fused: true,
  region: true,
  unrolled: true,
  pool: true,
  rounds: 2,
  read: null,
};

export function ladderParts(runtime: Runtime, values: PupilValues, given: Partial<Ladder>): RayParts {
  const ladder = { ...allOptimizations, ...given };
  const { rounds, read } = ladder;
  return {
    ...shippedParts(runtime, values),
    preparation: new LadderPreparation(runtime, values, ladder),
    search: new LadderRaySearch(runtime, values, ladder),
    rounds,
    ...(read && { read }),
  };
}

/** The methods with a Starburst whose optimizations are switched off. */
export const ladderMethods = (ladder: Partial<Ladder>): Methods => ({
  ...shippedMethods,
  starburst: (runtime, values) =>
    new StarburstMethod(runtime, values, (...args) => new GpuRays(...args, ladderParts(...args, ladder))),
});
