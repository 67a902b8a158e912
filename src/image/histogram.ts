/** Histogram of the 256 gray levels, as a plane of 256x1 counts. */
import type { Plane } from '../runtime/plane.ts';
import { defineStage } from '../runtime/stage.ts';
import type { WasmSide } from '../runtime/wasm-side.ts';
import { histogramGpu } from './histogram.gpu.ts';

/** Bytes of the counters beside the result's own. */
const SCRATCH = 3 * 1024;

/** Writes the 256 counts to `out`, which has room for one histogram a block. */
export function histogramTo(side: WasmSide, source: Plane, out: number, blocks: number): void {
  const { width, height, stride, address } = source;
  const rows = Math.ceil(height / blocks);
  side.bands('histogramBlocks', blocks, [address, stride, out, width, height, rows], {
    scratch: SCRATCH,
    minimumBand: 1,
  });
  side.once('histogramTotal', [out, blocks]);
}

/** The counts, for code that goes on with numbers. */
export function histogramOf(side: WasmSide, source: Plane): Uint32Array {
  const blocks = Math.min(side.threads, source.height);
  return side.temporary(1024 * blocks, (table) => {
    histogramTo(side, source, table, blocks);
    return new Uint32Array(side.arena.memory.buffer, table, 256).slice();
  });
}

export const histogram = defineStage({
  name: 'image/histogram',
  params: {},
  inputs: ['u8'],
  outputs: ['u32'],
  tolerance: 0,
  gpu: (side, [source]) => [histogramGpu(side, source!)],
  wasm(side, [source]) {
    const out = side.plane(256, 1, 'u32');
    const counts = histogramOf(side, source!);
    new Uint32Array(side.arena.memory.buffer, out.address, 256).set(counts);
    return [out];
  },
});

/**
 * Otsu's threshold: the level that maximises the variance between the two classes, samples up to it and samples above;
 * the lowest one of equals. Source: Otsu, IEEE Trans. SMC 9(1), 1979.
 */
export function otsu(counts: ArrayLike<number>): number {
  let total = 0;
  let moment = 0;
  for (let v = 0; v < counts.length; v++) {
    total += counts[v]!;
    moment += v * counts[v]!;
  }
  let below = 0;
  let belowMoment = 0;
  let best = 0;
  let level = 0;
  for (let v = 0; v < counts.length; v++) {
    below += counts[v]!;
    belowMoment += v * counts[v]!;
    const above = total - below;
    if (below === 0 || above === 0) continue;
    const difference = belowMoment / below - (moment - belowMoment) / above;
    const between = below * above * difference * difference;
    if (between > best) {
      best = between;
      level = v;
    }
  }
  return level;
}
