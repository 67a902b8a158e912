/**
 * Response to dark lines at one scale: the Hessian is turned to twelve directions, the second derivative across is summed
 * over samples along the line, and the largest of the twelve sums is taken, or 0: the largest eigenvalue, of a line as
 * long as several widths. Exact in 16-bit integers. Inputs: the three outputs of vessels/line-terms. Outside of the image
 * the derivatives are 0.
 *
 * Cost on the WASM side: 12 directions times samples + 3 operations of eight pixels each.
 */
import type { Plan } from '../../runtime/wasm/kernel-step.ts';
import { number, type Values } from '../../runtime/parameters.ts';
import type { Plane } from '../../runtime/plane.ts';
import type { RecordView } from '../../runtime/wasm/record.ts';
import { LineDirectionsRecord } from '../../runtime/wasm/records.ts';
import type { Scope } from '../../runtime/scope.ts';
import { defineStage } from '../../runtime/stage.ts';
import { lineMaximumGpu } from './lines.gpu.ts';
import { lineTable, PAIRS, type LineTable } from './table.ts';
import { lineTermRows, termPlanes, termsFrom, type lineTermParameters, type Terms } from './terms.ts';
import { sigmaParameter } from '../hessian/gaussian-taps.ts';
import { packedOf, unpackedTo } from './packed.gpu.ts';
import { bandRows, bandsOf } from '../row-bands.ts';

export const lineMaximumParameters = {
  sigma: sigmaParameter,
  length: number({ default: 9, min: 1, max: 200, unit: 'px', effect: 'Length of the lines.' }),
} as const;

/** Rows that the kernel works on at a time. */
const ROWS = 32;
/** Pixels of a band: its terms stay in the cache. */
const BAND_PIXELS = 1 << 17;

type Params = Values<typeof lineMaximumParameters>;

/** The directions for planes of a width. */
function directionsFor(scope: Scope, { directions, count, reach, limit }: LineTable, width: number): RecordView {
  const left = (reach + 7) & ~7;
  const stride = 2 * (left + ((width + 7) & ~7) + ((reach + 15) & ~7));
  const bytes = (samples: readonly (readonly [number, number])[]) => samples.map(([x, y]) => y * stride + 2 * x);
  const words = directions.flatMap(({ cos, sin, along, across }) => [cos, sin, ...bytes(along), ...bytes(across)]);
  const table = scope.table(Int32Array.from(words)).address;
  return scope.record(LineDirectionsRecord, { table, pairs: PAIRS, count, limit, reach, left, stride });
}

/** Rows from..to-1 of the response; the terms reach as far as the lines do, as far as the image does. */
function* lineMaximumRows(
  scope: Scope,
  terms: Terms,
  first: number,
  lines: RecordView,
  best: Plane,
  rows: readonly [number, number],
): Plan<void> {
  const { width, height } = best;
  yield* scope.kernels.lineMaximum(
    { ...termsFrom(terms, first), best, width, height, lines },
    { rows, minimumBand: ROWS, cost: width * (lines.get('count') + 3) },
  );
}

/**
 * Both stages in bands of rows, so that a large image needs little memory; the bytes are those of whole planes, whatever
 * the number of pixels in a band.
 */
export function* lineMaximumInBands(
  scope: Scope,
  source: Plane,
  params: Params & Values<typeof lineTermParameters>,
  bandPixels = BAND_PIXELS,
): Plan<Plane> {
  const { width, height } = source;
  const best = scope.plane(width, height, 'i16');
  yield* scope.part(function* (inner) {
    const table = lineTable(params.sigma, params.length);
    const { reach } = table;
    const lines = directionsFor(inner, table, width);
    const band = Math.min(height, Math.max(ROWS, bandRows(scope, source, bandPixels)));
    const terms = termPlanes(inner, width, Math.min(height, band + 2 * reach));
    for (const rows of bandsOf(height, band)) {
      const [first, last] = [Math.max(0, rows[0] - reach), Math.min(height, rows[1] + reach)];
      yield* lineTermRows(inner, source, params, terms, [first, last]);
      yield* lineMaximumRows(inner, terms, first, lines, best, rows);
    }
  });
  return best;
}

export const lineMaximum = defineStage({
  name: 'vessels/line-maximum',
  params: lineMaximumParameters,
  inputs: ['i16', 'i16', 'i16'],
  outputs: ['i16'],
  tolerance: 0,
  *gpu(scope, inputs, params) {
    const { width, height } = inputs[0];
    const packed = inputs.map((input) => packedOf(scope, input, 'rgba16i'));
    const target = scope.gpuPlane(width, height, 'i16');
    const best = scope.texture(Math.ceil(width / 4), height, 'rgba16i');
    lineMaximumGpu(scope, packed, { width, ...params }, best);
    unpackedTo(scope, best, target);
    return [target];
  },
  *wasm(scope, inputs, { sigma, length }) {
    const { width, height } = inputs[0];
    const best = scope.plane(width, height, 'i16');
    const lines = directionsFor(scope, lineTable(sigma, length), width);
    yield* lineMaximumRows(scope, inputs, 0, lines, best, [0, height]);
    return [best];
  },
});
