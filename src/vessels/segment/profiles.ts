/**
 * Widths from the photograph itself: gray levels across a vessel, averaged a little along it, and the box that looks like
 * them through the photograph's blur. Its width is the vessel's where it is narrower than the blur as well; the mask's
 * width is one of a response and a level. A slope of the background, the bright reflex along wide vessels and other
 * vessels nearby are part of the fit. Where it finds no edge, the width is not known.
 */
import { boolean, number } from '../../runtime/parameters.ts';
import type { Block, Scope } from '../../runtime/scope.ts';
import { defineStage } from '../../runtime/stage.ts';

/** Sizes of the lists, as in assembly/vessels/segment/profile-fit.ts. */
export const SAMPLES = 40;
export const POINT = 5;
export const RUN = 5;
export const FOUND = 4;
const END = 5;
const STEPS = 64;
/** Points of which the profiles are held at a time. */
const SOME = 1 << 14;

/** The normal distribution and its density from -END to END. */
export function normalTable(): Float64Array {
  const table = new Float64Array(2 * (2 * END * STEPS + 2));
  const density = (z: number) => Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI);
  let value = 0;
  for (let i = 0; i < table.length / 2; i++) {
    const z = i / STEPS - END;
    // Simpson's rule over the last step.
    if (i) value += (density(z - 1 / STEPS) + 4 * density(z - 0.5 / STEPS) + density(z)) / (6 * STEPS);
    table[2 * i] = value;
    table[2 * i + 1] = density(z);
  }
  return table;
}

let normal: Float64Array | null = null;

/** Batches of runs of about SOME points. */
function* batches(runs: Float64Array): Generator<[from: number, to: number, first: number, count: number]> {
  const total = runs.length / RUN;
  for (let from = 0; from < total;) {
    const first = runs[RUN * from]!;
    let [to, count] = [from, 0];
    for (; to < total && (to === from || count + runs[RUN * to + 1]! <= SOME); to++) count += runs[RUN * to + 1]!;
    yield [from, to, first, count];
    from = to;
  }
}

/** Numbers of an array on the arena. */
const part = (scope: Scope, values: Float64Array, from: number, to: number): Block =>
  scope.table(values.subarray(from, to));

/**
 * Inputs: the photograph; where it counts, a mask of 0 and 1 whose samples are `block` pixels wide; points (x, y, normal x,
 * normal y, distance between samples); runs of points one after the other (first, how many, points to either side that are
 * averaged, distance between samples, each how manyth is fitted). Output for each point: how far the vessel's middle is along
 * the normal, its width, the blur, and what is not sure: the misfit in parts of its depth, or where the blur is sought as
 * well, that one's standard error; NaN where no vessel fits.
 */
export const profileWidths = defineStage({
  name: 'vessels/profile-widths',
  params: {
    block: number({ default: 4, min: 1, max: 512, integer: true, unit: 'px', effect: 'Side of a block of the field.' }),
    sigma: number({ default: 1, min: 0.1, max: 64, unit: 'px', effect: 'Blur of the photograph.' }),
    free: boolean({ default: false, effect: 'The blur is estimated as well, from there on.' }),
  },
  inputs: ['u8', 'f32', 'f64[]', 'f64[]'],
  outputs: ['f64[]'],
  tolerance: 0,
  wasmOnly: 'A few thousand fits of some steps each, of profiles that are on this side.',
  *wasm(scope, [source, field, points, runs], { block, sigma, free }) {
    const { width, height } = source;
    const found = new Float64Array((FOUND * points.length) / POINT);
    const table = scope.table((normal ??= normalTable()));
    for (const [from, to, first, count] of batches(runs)) {
      const near = part(scope, points, POINT * first, POINT * (first + count));
      const own = runs.slice(RUN * from, RUN * to);
      for (let k = 0; k < own.length; k += RUN) own[k]! -= first;
      const list = scope.table(own);
      const samples = scope.block(4 * SAMPLES * Math.max(1, count));
      const results = scope.block(8 * FOUND * Math.max(1, count));
      yield* scope.kernels.profileSamples(
        { source, width, height, field, block, points: near, samples },
        { rows: count, cost: 8 * SAMPLES },
      );
      const each = Math.max(1, Math.round((count / Math.max(1, to - from)) * 64 * SAMPLES));
      yield* scope.kernels.profileFits(
        { samples, runs: list, table, sigma, free: Number(free), found: results },
        { rows: to - from, minimumBand: 1, bands: 4, cost: each },
      );
      found.set(scope.f64(results, FOUND * count), FOUND * first);
      for (const block of [near, list, samples, results]) scope.free(block);
    }
    return [found];
  },
});
