/**
 * Response to dark lines at one scale. The Hessian is rotated to twelve directions, and the second derivative across
 * each is summed over samples along the line. The response is the maximum of the twelve sums, or 0. It corresponds to
 * the largest eigenvalue of a line that is several widths long. Exact in 16-bit integers. Inputs: the three outputs of
 * vessels/line-terms. Outside the image the derivatives are 0.
 *
 * Cost on the CPU (WASM): 12 directions times samples + 3 operations of eight pixels each.
 */
import enlargeFragment from '../../../glsl/vessels/lines/enlarge.frag';
import type { Plan } from '../../runtime/wasm/kernel-step.ts';
import { definePass } from '../../runtime/gpu/pass.ts';
import { number, type Values } from '../../runtime/parameters.ts';
import type { Plane } from '../../runtime/plane.ts';
import type { Scope } from '../../runtime/scope.ts';
import { defineStage } from '../../runtime/stage.ts';
import { packedOf, unpackedTo, lineTermsGpu, lineMaximumGpu } from './lines.gpu.ts';
import { floatTaps, sigmaParameter } from '../hessian/parameters.ts';
import { fromRow, bandRows, bandsOf } from '../row-bands.ts';
import type { RecordView } from '../../runtime/wasm/record.ts';
import { LineDirectionsRecord } from '../../runtime/wasm/records.ts';
import { lineTable, PAIRS, type LineTable } from './table.ts';

/**
 * Response of one scale, computed in a plane reduced by `halvings` pyramid levels. It is enlarged to the size of the
 * working plane and multiplied by its weight. Interpolation between block centers is linear. The stage computes only
 * the first pixels, as many as the reduced plane has.
 */

/** Maximum number of pyramid levels. */
export const HALVINGS = 3;

const lineEnlargeParameters = {
  halvings: number({ default: 0, min: 0, max: HALVINGS, integer: true, effect: 'Pyramid levels of the plane.' }),
  weight: number({ default: 1 / 256, min: 0, max: 1 / 64, effect: 'Factor of the values.' }),
} as const;

const lineEnlargePass = definePass({
  name: 'vessels/line-enlarge',
  fragment: enlargeFragment,
  textures: ['source'],
  uniforms: { width: 'int', halvings: 'int', weight: 'float' },
  outputs: ['response'],
});

/** Adds the response to `target` under the mask, or overwrites it there. */
export function* accumulate(
  scope: Scope,
  source: Plane,
  { halvings, weight }: { halvings: number; weight: number },
  mask: Plane,
  target: Plane,
  fresh: boolean,
): Plan<void> {
  const { width: columns, height: rows } = source;
  const { width, height } = target;
  yield* scope.kernels.accumulateLines(
    { source, columns, rows, block: 2 ** halvings, mask, target, width, weight, fresh },
    { rows: height },
  );
}

export const lineEnlarge = defineStage({
  name: 'vessels/line-enlarge',
  params: lineEnlargeParameters,
  inputs: ['i16'],
  outputs: ['f32'],
  // For values up to 512.
  tolerance: 1e-3,
  *gpu(scope, [source], { halvings, weight }) {
    const { width, height } = source;
    const target = scope.gpuPlane(width, height, 'f32');
    const packed = packedOf(scope, source, 'rgba16i');
    const uniforms = { width, halvings, weight };
    scope.draw(lineEnlargePass, { targets: [target], textures: { source: packed }, uniforms });
    return [target];
  },
  *wasm(scope, [source], params) {
    const { width, height } = source;
    const target = scope.plane(width, height, 'f32');
    const mask = scope.plane(width, height, 'u8');
    scope.arena.u8.fill(255, mask.address, mask.address + mask.stride * height);
    yield* accumulate(scope, source, params, mask, target, true);
    return [target];
  },
});

// Terms of the Hessian of a smoothed float image that are needed for lines of any direction: (IH + IV) / 2, (IH - IV) /
// 2 and ID, times `scale`, as 16-bit integers. They need half the memory of floats, with eight pixels per vector, and
// from here both backends agree to the last bit.

const lineTermParameters = {
  sigma: sigmaParameter,
  scale: number({ default: 8000, min: 1, max: 32767, effect: 'Integer steps of a second difference of 1.' }),
} as const;

/** Planes of (IH + IV) / 2, (IH - IV) / 2 and ID. */
type Terms = readonly [mean: Plane, difference: Plane, mixed: Plane];

export const termPlanes = (scope: Scope, width: number, rows: number): Terms => [
  scope.plane(width, rows, 'i16'),
  scope.plane(width, rows, 'i16'),
  scope.plane(width, rows, 'i16'),
];

/** Address of the terms for row 0 of the image if the planes begin with row `first`. */
const termsFrom = ([m, f, d]: Terms, first: number) => ({
  m: fromRow(m, first),
  f: fromRow(f, first),
  d: fromRow(d, first),
  stride: m.stride,
});

/** Rows from..to-1 of the three terms, written to planes that begin with row `first`. */
export function* lineTermRows(
  scope: Scope,
  source: Plane,
  { sigma, scale }: Values<typeof lineTermParameters>,
  planes: Terms,
  [from, to]: readonly [number, number],
  first = from,
): Plan<void> {
  const { width, height } = source;
  const { m: targetM, f: targetF, d: targetD, stride: targetStride } = termsFrom(planes, first);
  const taps = floatTaps(sigma);
  const radius = taps.length - 1;
  const table = scope.table(taps);
  yield* scope.kernels.lineTerms(
    { source, targetM, targetF, targetD, targetStride, width, height, taps: table, radius, scale },
    { rows: [from, to], minimumBand: 32, cost: width * (radius + 4) },
  );
  scope.free(table);
}

export const lineTerms = defineStage({
  name: 'vessels/line-terms',
  params: lineTermParameters,
  inputs: ['f32'],
  outputs: ['i16', 'i16', 'i16'],
  // If the float is halfway between two integers, its last bit decides.
  tolerance: 1,
  *gpu(scope, [source], params) {
    const { width, height } = source;
    const terms = lineTermsGpu(scope, packedOf(scope, source, 'rgba32f'), { width, ...params });
    const [m, f, d] = terms.map((texture) => {
      const plane = scope.gpuPlane(width, height, 'i16');
      unpackedTo(scope, texture, plane);
      return plane;
    });
    return [m!, f!, d!];
  },
  *wasm(scope, [source], params) {
    const planes = termPlanes(scope, source.width, source.height);
    yield* lineTermRows(scope, source, params, planes, [0, source.height]);
    return planes;
  },
});

const lineMaximumParameters = {
  sigma: sigmaParameter,
  length: number({ default: 9, min: 1, max: 200, unit: 'px', effect: 'Length of the lines.' }),
} as const;

/** Number of rows per kernel call. */
const ROWS = 32;
/** Pixels of a band. Its terms stay in the cache. */
const BAND_PIXELS = 1 << 17;

type Params = Values<typeof lineMaximumParameters>;

/** The directions for planes of this width. */
function directionsFor(scope: Scope, { directions, count, reach, limit }: LineTable, width: number): RecordView {
  const left = (reach + 7) & ~7;
  const stride = 2 * (left + ((width + 7) & ~7) + ((reach + 15) & ~7));
  const bytes = (samples: readonly (readonly [number, number])[]) => samples.map(([x, y]) => y * stride + 2 * x);
  const words = directions.flatMap(({ cos, sin, along, across }) => [cos, sin, ...bytes(along), ...bytes(across)]);
  const table = scope.table(Int32Array.from(words)).address;
  return scope.record(LineDirectionsRecord, { table, pairs: PAIRS, count, limit, reach, left, stride });
}

/** Rows from..to-1 of the response. The terms extend beyond them by the reach of the lines, within the image. */
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
 * Both stages in bands of rows, so that a large image needs little memory. The bytes equal those of whole planes, for
 * any number of pixels in a band.
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
