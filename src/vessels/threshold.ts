/**
 * Where a vessel begins: Otsu's level of the response inside the field of view, drawn halfway (in logarithms) to the
 * response that a tenth of the field exceeds, which is about what vessels cover. Otsu alone follows the few widest
 * vessels or, in a noisy photograph, the noise; the tenth alone would find vessels where there are none.
 */
import { otsu } from '../image/histogram.ts';
import { quantileBin } from '../image/numbers.ts';
import type { Plane } from '../runtime/plane.ts';
import type { WasmSide } from '../runtime/wasm-side.ts';

const BINS = 4096;

export interface ResponseLevels {
  readonly otsu: number;
  /** Exceeded by one tenth of the field. */
  readonly tenth: number;
  readonly median: number;
  readonly level: number;
}

/** Of a float plane under a mask; `factor` scales the level. All 0 where there is no response. */
export function responseLevels(side: WasmSide, response: Plane, inside: Plane, factor: number): ResponseLevels {
  const { width, height } = response;
  return side.temporary(4 * BINS, (table) => {
    const top = side.kernels.evaluate(
      'maskedMaximum',
      ...[response.address, response.stride, inside.address, inside.stride, width, height],
    );
    if (!(top > 0)) return { otsu: 0, tenth: 0, median: 0, level: 0 };
    side.kernels.call(
      'maskedHistogram',
      ...[response.address, response.stride, inside.address, inside.stride, width, height, BINS / top, BINS, table],
    );
    const counts = new Uint32Array(side.arena.memory.buffer, table, BINS).slice();
    const total = counts.reduce((a, b) => a + b, 0);
    const bin = top / BINS; // levels are those of a bin's upper border
    // Otsu over 256 bins up to the level that all but 1 in 200 stay below; the rest counts as that level.
    const end = quantileBin(counts, total, 0.995) + 1;
    const coarse = new Uint32Array(256);
    counts.forEach((n, i) => (coarse[Math.min(255, Math.floor((i * 256) / end))]! += n));
    const byOtsu = ((otsu(coarse) + 1) / 256) * end * bin;
    const tenth = (quantileBin(counts, total, 0.9) + 1) * bin;
    return {
      ...{ otsu: byOtsu, tenth, median: (quantileBin(counts, total, 0.5) + 1) * bin },
      level: factor * Math.sqrt(byOtsu * tenth),
    };
  });
}
