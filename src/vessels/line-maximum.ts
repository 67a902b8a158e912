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
import { defineOldStage } from '../runtime/old-stage.ts';
import type { WasmSide } from '../runtime/wasm-side.ts';
import { lineMaximumGpu } from './line.gpu.ts';
import { lineTable, PAIRS, type LineTable } from './line-table.ts';
import { lineTermRows, termAddresses, type lineTermParameters, type TermRows } from './line-terms.ts';
import { sigmaParameter } from './gaussian-taps.ts';
import { packedOf, unpackedTo } from './packed.gpu.ts';

export const lineMaximumParameters = {
  sigma: sigmaParameter,
  length: number({ default: 9, min: 1, max: 200, unit: 'px', effect: 'Length of the lines.' }),
} as const;

/** Rows that the kernel works on at a time. */
const ROWS = 32;
/** Pixels of a band: a few milliseconds. */
const BAND_PIXELS = 1 << 17;

type Params = Values<typeof lineMaximumParameters>;

/** Rows from..to-1 of the response; the terms reach `reach` rows farther, as far as the image does. */
function lineMaximumRows(
  side: WasmSide,
  terms: TermRows,
  { directions, count, reach, limit }: LineTable,
  best: Plane,
  from: number,
  to: number,
): void {
  const { width, height } = best;
  const left = (reach + 7) & ~7;
  const row = 2 * (left + ((width + 7) & ~7) + ((reach + 15) & ~7));
  const bytes = (samples: readonly (readonly [number, number])[]) => samples.map(([x, y]) => y * row + 2 * x);
  const words = directions.flatMap(({ cos, sin, along, across }) => [cos, sin, ...bytes(along), ...bytes(across)]);
  side.temporary(4 * words.length, (table) => {
    side.arena.i32.set(words, table >> 2);
    const image = [...termAddresses(terms), terms.planes[0]!.stride, best.address, best.stride, width, height];
    side.bands('lineMaximum', to, [...image, table, PAIRS, count, limit, reach, left, row], {
      scratch: 2 * (ROWS + 2 * reach) * row + 64,
      minimumBand: ROWS,
      first: from,
    });
  });
}

/** The response from whole planes of the terms. */
export function lineMaximumWasm(side: WasmSide, planes: readonly Plane[], { sigma, length }: Params): Plane {
  const { width, height } = planes[0]!;
  const best = side.plane(width, height, 'i16');
  lineMaximumRows(side, { planes, first: 0 }, lineTable(sigma, length), best, 0, height);
  return best;
}

/**
 * Both stages in bands of rows, so that a large image needs little memory and a cancel takes effect between two of them;
 * the bytes are those of whole planes, whatever the number of pixels in a band.
 */
export async function lineMaximumInBands(
  side: WasmSide,
  source: Plane,
  params: Params & Values<typeof lineTermParameters>,
  slice: () => Promise<void>,
  bandPixels = BAND_PIXELS,
): Promise<Plane> {
  const { width, height } = source;
  const table = lineTable(params.sigma, params.length);
  const { reach } = table;
  const band = Math.min(height, Math.max(ROWS, Math.floor(bandPixels / width)));
  const room = Math.min(height, band + 2 * reach);
  const planes = side.guarded(() => [
    side.plane(width, height, 'i16'),
    ...Array.from({ length: 3 }, () => side.plane(width, room, 'i16')),
  ]);
  const [best, ...terms] = planes as [Plane, ...Plane[]];
  let done = false;
  try {
    for (let from = 0; from < height; from += band) {
      const to = Math.min(height, from + band);
      const rows = { planes: terms, first: Math.max(0, from - reach) };
      lineTermRows(side, source, params, rows, rows.first, Math.min(height, to + reach));
      lineMaximumRows(side, rows, table, best, from, to);
      await slice();
    }
    done = true;
    return best;
  } finally {
    for (const plane of terms) plane.dispose();
    if (!done) best.dispose();
  }
}

export const lineMaximum = defineOldStage({
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
