/** From the response to a mask: the threshold, and the removal of small components. */
import { labelComponents, type Component } from '../../image/components.ts';
import { defineStage } from '../../runtime/stage.ts';
import { otsu } from '../../image/histogram.ts';
import { quantileBin } from '../../image/numbers.ts';
import type { Plan } from '../../runtime/wasm/kernel-step.ts';
import type { Plane } from '../../runtime/plane.ts';
import type { Scope } from '../../runtime/scope.ts';

/**
 * Removes components of the response above a threshold that are not vessels: without a strong point, small, or not
 * elongated.
 */

/** Size of a remaining component: number of pixels, and width and height of its box. */
export type Extent = Pick<Component, 'area' | 'width' | 'height'>;

const elongated = ({ area, width, height }: Extent, fill: number) => area <= fill * Math.max(width, height) ** 2;

/** Reads area, width and height of each from a list. */
export const extentsOf = (list: Uint32Array): Extent[] =>
  Array.from({ length: list.length / 3 }, (_, i) => ({
    area: list[3 * i]!,
    width: list[3 * i + 1]!,
    height: list[3 * i + 2]!,
  }));

/**
 * Inputs:
 * - The response.
 * - The threshold for components, and the maximum that each must exceed so that it is not noise.
 * - The minimum area.
 * - The maximum share of the square over its longer side. A line fills little of it.
 *
 * Outputs:
 * - The response, 0 in rejected components.
 * - Area, width and height of each remaining component.
 */
export const clean = defineStage({
  name: 'vessels/clean',
  params: {},
  inputs: ['f32', 'f64[]'],
  outputs: ['f32', 'u32[]'],
  tolerance: 0,
  wasmOnly: 'Components are joined on this side, by runs.',
  *wasm(scope, [source, rules]) {
    const [level, strong, area, fill] = rules as unknown as [number, number, number, number];
    const { width, height } = source;
    const target = scope.plane(width, height, 'f32');
    const mask = scope.plane(width, height, 'u8');
    yield* scope.kernels.above({ source, target: mask, width, level }, { rows: height });
    const { labels, count, statistics } = yield* labelComponents(scope, mask, { statistics: true });
    scope.free(mask);
    const maxima = scope.zeros(4 * (count + 1));
    yield* scope.kernels.componentMaxima({ labels, source, width, height, maxima });
    const strongest = scope.f32(maxima, count + 1);
    const stays = statistics.map(
      (component, i) => strongest[i + 1]! > strong && component.area >= area && elongated(component, fill),
    );
    const keep = scope.table(Uint8Array.of(0, ...stays.map(Number)));
    yield* scope.kernels.keepComponents({ source, labels, keep, target, width }, { rows: height });
    const kept = statistics.filter((_, i) => stays[i]);
    return [target, Uint32Array.from(kept.flatMap(({ area, width, height }) => [area, width, height]))];
  },
});

/**
 * Vessel threshold. It is halfway (in logarithms) between Otsu's threshold of the response inside the field of view and
 * the response exceeded by a tenth of the field, which is about the share that vessels cover. Otsu alone follows the
 * few widest vessels or, in a noisy photograph, the noise. The tenth alone would find vessels in images without any.
 */

const BINS = 4096;
/** Minimum of the tenth, relative to Otsu's threshold, because a drawing consists of nothing except lines. */
const LEAST = 0.1;

export interface ResponseLevels {
  readonly otsu: number;
  /** Exceeded by one tenth of the field. */
  readonly tenth: number;
  readonly median: number;
  readonly level: number;
}

/**
 * Inputs: the response and 255 where it counts. Output: Otsu's threshold, the tenth and the median. 0 without a
 * response.
 */
export const responseLevels = defineStage({
  name: 'vessels/response-levels',
  params: {},
  inputs: ['f32', 'u8'],
  outputs: ['f64[]'],
  tolerance: 1e-6,
  wasmOnly: 'A histogram of a response that is on this side for the components and the results.',
  *wasm(scope, [source, mask]) {
    const { width, height } = source;
    const top = yield* scope.kernels.maskedMaximum({ source, mask, width, height });
    if (!(top > 0)) return [new Float64Array(3)];
    const table = scope.block(4 * BINS);
    yield* scope.kernels.maskedHistogram({ source, mask, width, height, scale: BINS / top, bins: BINS, counts: table });
    const counts = scope.u32(table, BINS);
    const total = counts.reduce((a, b) => a + b, 0);
    const bin = top / BINS; // a level is the upper border of its bin
    // Otsu over 256 bins up to the level that only 1 in 200 values exceed. Higher values count as that level.
    const end = quantileBin(counts, total, 0.995) + 1;
    const coarse = new Uint32Array(256);
    counts.forEach((n, i) => (coarse[Math.min(255, Math.floor((i * 256) / end))]! += n));
    const upper = (share: number) => (quantileBin(counts, total, share) + 1) * bin;
    return [Float64Array.of(((otsu(coarse) + 1) / 256) * end * bin, upper(0.9), upper(0.5))];
  },
});

/** Levels of the response inside the field. `factor` scales the threshold. */
export function* levelsOf(scope: Scope, response: Plane, inside: Plane, factor: number): Plan<ResponseLevels> {
  const [list] = yield* scope.run(responseLevels, [response, inside]);
  const [otsu, tenth, median] = list as unknown as [number, number, number];
  return { otsu, tenth, median, level: factor * Math.sqrt(otsu * Math.max(tenth, LEAST * otsu)) };
}
