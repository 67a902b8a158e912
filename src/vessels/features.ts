/**
 * What the eigenvalues say of a pixel. Lines and blobs after paper 003, figure 1, with |l1| <= |l2| and the sign s of
 * what is sought (1 dark, -1 bright): a line where l1 is about 0 and s l2 large, s l2 - |l1|; a blob where both are, the
 * smaller of s l1 and s l2; 0 below that. Vesselness after Frangi et al. 1998, equation 15: exp(-(l1/l2)^2 / (2 beta^2))
 * (1 - exp(-(l1^2 + l2^2) / (2 c^2))) where s l2 > 0, the largest over the scales.
 *
 * Eigenvalues are multiplied by sigma^2 first (Lindeberg 1998): a line of a given contrast then gives one value, and is
 * judged by one c, whatever its width, at the scale that fits it. Units: gray 0..1.
 */
import { number, type Values } from '../runtime/parameters.ts';
import type { Plane } from '../runtime/plane.ts';
import { defineOldStage } from '../runtime/old-stage.ts';
import type { WasmSide } from '../runtime/wasm-side.ts';
import { checkSigma, eigenvaluesWasm } from './eigenvalues.ts';
import {
  factorOf,
  lineOrBlobParameters,
  terms,
  vesselnessParameters,
  type LineOrBlobValues,
  type Measure,
} from './feature-parameters.ts';
import { lineOrBlobGpu, vesselnessGpu } from './features.gpu.ts';

export * from './feature-parameters.ts';

/** Eigenvalues of `rows` rows that lie at two addresses of one stride. */
export interface EigenvalueBand {
  readonly addresses: readonly [number, number];
  readonly stride: number;
  readonly width: number;
  readonly rows: number;
}

/** In place of the first eigenvalue. */
export function lineOrBlobRows(side: WasmSide, band: EigenvalueBand, params: LineOrBlobValues): void {
  const { addresses, stride, width, rows } = band;
  const blob = params.feature.endsWith('blob') ? 1 : 0;
  side.bands('lineOrBlob', rows, [...addresses, addresses[0], stride, width, factorOf(params.feature, params), blob]);
}

/** Into the planes of the largest value and, where wanted, of its scale. */
export function vesselnessRows(
  side: WasmSide,
  { addresses, stride, width, rows }: EigenvalueBand,
  best: Plane,
  scales: Plane | null,
  sigma: number,
  measure: Measure,
  fresh: boolean,
): void {
  const { factor, round, faint } = terms(sigma, measure);
  const target = [best.address, scales?.address ?? 0, stride, width];
  side.bands('vesselness', rows, [...addresses, ...target, factor, round, faint, sigma, fresh ? 1 : 0]);
}

const bandOf = ([a, b]: Plane[]): EigenvalueBand => ({
  addresses: [a!.address, b!.address],
  stride: a!.stride,
  width: a!.width,
  rows: a!.height,
});

export function lineOrBlobWasm(side: WasmSide, source: Plane, params: LineOrBlobValues): Plane {
  const planes = eigenvaluesWasm(side, source, params, 'magnitude');
  lineOrBlobRows(side, bandOf(planes), params);
  planes[1]!.dispose();
  return planes[0]!;
}

export function vesselnessWasm(
  side: WasmSide,
  source: Plane,
  sigmas: readonly number[],
  measure: Measure,
  withScale: boolean,
): Plane[] {
  const best = side.plane(source.width, source.height, 'f32');
  const scales = withScale ? side.plane(source.width, source.height, 'f32') : null;
  for (const [k, sigma] of sigmas.entries()) {
    const planes = eigenvaluesWasm(side, source, { sigma, derivative: 'gaussian' }, 'magnitude');
    vesselnessRows(side, bandOf(planes), best, scales, sigma, measure, k === 0);
    for (const plane of planes) plane.dispose();
  }
  return scales ? [best, scales] : [best];
}

/** Throws 'invalid-argument' where the largest scale does not fit the image. */
export function checkSigmas({ width, height }: Plane, sigmas: readonly number[]): void {
  checkSigma(width, height, { sigma: Math.max(...sigmas), derivative: 'gaussian' });
}

export const lineOrBlob = defineOldStage({
  name: 'vessels/line-or-blob',
  params: lineOrBlobParameters,
  inputs: ['u8'],
  outputs: ['f32'],
  // That of the eigenvalues at the largest sigma, 32, by sigma^2.
  tolerance: 2e-3,
  gpu: (side, [source], params) => {
    checkSigma(source!.width, source!.height, params);
    return [lineOrBlobGpu(side, source!, params, params.feature)];
  },
  wasm: (side, [source], params) => [lineOrBlobWasm(side, source!, params)],
});

const scaleSeries = {
  sigma: number({ default: 1, min: 0.5, max: 6, unit: 'px', effect: 'Smallest scale.' }),
  sigmaStep: number({ default: 1, min: 0, max: 3, unit: 'px', effect: 'From one scale to the next.' }),
  sigmaCount: number({ default: 3, min: 1, max: 4, integer: true, effect: 'How many.' }),
} as const;

/** The calls of the engine take any list of scales; the stage has those that a table can say. */
export const vesselness = defineOldStage({
  name: 'vessels/vesselness',
  params: { ...scaleSeries, ...vesselnessParameters },
  inputs: ['u8'],
  outputs: ['f32'],
  // The golden figures allow this: a small c or beta magnifies the rounding of the second differences.
  tolerance: 2e-3,
  gpu: (side, [source], params) => {
    const sigmas = seriesOf(source!, params);
    const [best, scales] = vesselnessGpu(side, source!, sigmas, params);
    scales!.dispose();
    return [best!];
  },
  wasm: (side, [source], params) => vesselnessWasm(side, source!, seriesOf(source!, params), params, false),
});

function seriesOf(source: Plane, { sigma, sigmaStep, sigmaCount }: Values<typeof scaleSeries>): number[] {
  const sigmas = Array.from({ length: sigmaCount }, (_, i) => sigma + i * sigmaStep);
  checkSigmas(source, sigmas);
  return sigmas;
}
