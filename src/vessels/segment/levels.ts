/**
 * Vessel threshold. It is halfway (in logarithms) between Otsu's threshold of the response inside the field of view and
 * the response exceeded by a tenth of the field, which is about the share that vessels cover. Otsu alone follows the
 * few widest vessels or, in a noisy photograph, the noise. The tenth alone would find vessels in images without any.
 */
import { otsu } from '../../image/histogram.ts';
import { quantileBin } from '../../image/numbers.ts';
import type { Plan } from '../../runtime/wasm/kernel-step.ts';
import type { Plane } from '../../runtime/plane.ts';
import type { Scope } from '../../runtime/scope.ts';
import { defineStage } from '../../runtime/stage.ts';

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
