/**
 * What the Hessian of a smoothed float image gives for lines of any direction: (IH + IV) / 2, (IH - IV) / 2 and ID, times
 * `scale`, as 16-bit integers: half the memory of floats, eight pixels a vector, and from here on both sides of the
 * machine agree to the last bit.
 */
import type { Plan } from '../../runtime/wasm/kernel-step.ts';
import { number, type Values } from '../../runtime/parameters.ts';
import type { Plane } from '../../runtime/plane.ts';
import type { Scope } from '../../runtime/scope.ts';
import { defineStage } from '../../runtime/stage.ts';
import { floatTaps, sigmaParameter } from '../hessian/gaussian-taps.ts';
import { lineTermsGpu } from './lines.gpu.ts';
import { packedOf, unpackedTo } from './packed.gpu.ts';
import { fromRow } from '../row-bands.ts';

export const lineTermParameters = {
  sigma: sigmaParameter,
  scale: number({ default: 8000, min: 1, max: 32767, effect: 'Integer steps of a second difference of 1.' }),
} as const;

/** Planes of (IH + IV) / 2, (IH - IV) / 2 and ID. */
export type Terms = readonly [mean: Plane, difference: Plane, mixed: Plane];

export const termPlanes = (scope: Scope, width: number, rows: number): Terms => [
  scope.plane(width, rows, 'i16'),
  scope.plane(width, rows, 'i16'),
  scope.plane(width, rows, 'i16'),
];

/** Where the terms of row 0 of the image lie if the planes begin with row `first`. */
export const termsFrom = ([m, f, d]: Terms, first: number) => ({
  m: fromRow(m, first),
  f: fromRow(f, first),
  d: fromRow(d, first),
  stride: m.stride,
});

/** Rows from..to-1 of the three terms, to planes that begin with row `first`. */
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
  // Where the float lies halfway between two integers its last bit decides.
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
