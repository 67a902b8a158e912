/**
 * Response to dark lines at one scale: the Hessian is turned to twelve directions, the second derivative across is summed
 * over samples along the line, and the largest of the twelve sums is taken, or 0: the largest eigenvalue, of a line as
 * long as several widths. Exact in 16-bit integers. Inputs: the three outputs of vessels/line-terms. Outside of the image
 * the derivatives are 0.
 *
 * Cost on the WASM side: 12 directions times samples + 3 operations of eight pixels each.
 */
import { number, type Values } from '../runtime/parameters.ts';
import type { Plane } from '../runtime/plane.ts';
import { defineStage } from '../runtime/stage.ts';
import type { WasmSide } from '../runtime/wasm-side.ts';
import { lineMaximumGpu } from './line.gpu.ts';
import { lineTable, PAIRS } from './line-table.ts';
import { sigmaParameter } from './gaussian-taps.ts';
import { packedOf, unpackedTo } from './packed.gpu.ts';

export const lineMaximumParameters = {
  sigma: sigmaParameter,
  length: number({ default: 9, min: 1, max: 200, unit: 'px', effect: 'Length of the lines.' }),
} as const;

/** Rows that the kernel works on at a time. */
const ROWS = 32;

export function lineMaximumWasm(
  side: WasmSide,
  [m, f, d]: readonly Plane[],
  { sigma, length }: Values<typeof lineMaximumParameters>,
): Plane {
  const { width, height, stride } = m!;
  const { directions, count, reach, limit } = lineTable(sigma, length);
  const best = side.plane(width, height, 'i16');
  const left = (reach + 7) & ~7;
  const row = 2 * (left + ((width + 7) & ~7) + ((reach + 15) & ~7));
  const bytes = (samples: readonly (readonly [number, number])[]) => samples.map(([x, y]) => y * row + 2 * x);
  const words = directions.flatMap(({ cos, sin, along, across }) => [cos, sin, ...bytes(along), ...bytes(across)]);
  side.temporary(4 * words.length, (table) => {
    side.arena.i32.set(words, table >> 2);
    const image = [m!.address, f!.address, d!.address, stride, best.address, best.stride, width, height];
    side.bands('lineMaximum', height, [...image, table, PAIRS, count, limit, reach, left, row], {
      scratch: 2 * (ROWS + 2 * reach) * row + 64,
      minimumBand: ROWS,
    });
  });
  return best;
}

export const lineMaximum = defineStage({
  name: 'vessels/line-maximum',
  params: lineMaximumParameters,
  inputs: ['i16', 'i16', 'i16'],
  outputs: ['i16'],
  tolerance: 0,
  gpu: (side, inputs, params, runtime) => {
    const { width, height } = inputs[0]!;
    return side.scope((lend, plane) => {
      const target = plane(width, height, 'i16');
      const packed = inputs.map((input) => packedOf(side, runtime.arena, input, 'rgba16i'));
      try {
        const best = lineMaximumGpu(side, packed, { width, ...params });
        unpackedTo(side, best, target);
        side.release(best);
      } finally {
        for (const texture of packed) side.release(texture);
      }
      return [target];
    });
  },
  wasm: (side, inputs, params) => [lineMaximumWasm(side, inputs, params)],
});
