/** engine.hessianFeature and engine.vesselness. */
import type { Source } from '../results/types.ts';
import { defineOperations, operation, operationOn, type CallContext } from '../runtime/capability.ts';
import { FoveolaError } from '../runtime/error.ts';
import { boolean, resolveParameters, type Values } from '../runtime/parameters.ts';
import type { Plane } from '../runtime/plane.ts';
import { sideOf } from '../runtime/side.ts';
import { copyRows, inBands, wantsBands } from './bands.ts';
import { checkSigma, eigenvalueBand } from './eigenvalues.ts';
import {
  checkSigmas,
  lineOrBlob,
  lineOrBlobParameters,
  lineOrBlobRows,
  lineOrBlobWasm,
  vesselness,
  vesselnessParameters,
  vesselnessRows,
  vesselnessWasm,
} from './features.ts';
import { lineOrBlobGpu, vesselnessGpu } from './features.gpu.ts';
import { sigmaParameter } from './gaussian-taps.ts';

/** Strength of every pixel, in gray 0..1, normalised by sigma^2; 0 where there is no such line or blob. */
export interface FeatureResult {
  width: number;
  height: number;
  response: Float32Array;
}

/** `response` 0..1; `bestSigma`: the sigma that it comes from, in pixels, 0 where there is no response. */
export interface VesselnessResult extends FeatureResult {
  bestSigma?: Float32Array;
}

/** Scales in pixels, 1 to 16 of them; by default 1, 2 and 3. */
export interface Sigmas {
  sigmas?: readonly number[];
}

const readAll = async (planes: readonly Plane[]) => {
  try {
    return (await Promise.all(planes.map((plane) => plane.read()))) as Float32Array[];
  } finally {
    for (const plane of planes) plane.dispose();
  }
};

const featureOperation = operation({
  params: lineOrBlobParameters,
  sources: ['gray'],
  async run(context, [source], params): Promise<FeatureResult> {
    const { runtime } = context;
    const { width, height } = source!;
    const side = runtime.wasm;
    checkSigma(width, height, params);
    const gpu = sideOf(runtime, lineOrBlob, [source!]) === 'gpu';
    if (gpu) runtime.gpu!.usable();
    else await source!.arena();
    if (!gpu && wantsBands(side, source!)) {
      const response = new Float32Array(width * height);
      await inBands(context, source!, 2, ([a, b], y, end) => {
        const band = { addresses: [a!.address, b!.address] as const, stride: a!.stride, width, rows: end - y };
        eigenvalueBand(side, source!, params, 'magnitude', { ...band, first: y }, y, end);
        lineOrBlobRows(side, band, params);
        copyRows(side, a!, response, y, end);
      });
      return { width, height, response };
    }
    const plane = gpu
      ? lineOrBlobGpu(runtime.gpu!, source!, params, params.feature)
      : side.guarded(() => lineOrBlobWasm(side, source!, params));
    const [response] = await readAll([plane]);
    return { width, height, response: response! };
  },
});

const table = {
  ...vesselnessParameters,
  bestSigma: boolean({ default: false, effect: 'Also the sigma of each pixel’s largest response.' }),
} as const;

type VesselnessValues = Values<typeof table> & { readonly sigmas: readonly number[] };

function resolve(given: Record<string, unknown>): VesselnessValues {
  const { sigmas = [1, 2, 3], ...rest } = given;
  const values = resolveParameters(table, rest as Partial<Values<typeof table>>, 'vesselness');
  const { min, max } = sigmaParameter;
  const good =
    Array.isArray(sigmas) &&
    sigmas.length >= 1 &&
    sigmas.length <= 16 &&
    sigmas.every((s) => typeof s === 'number' && s >= min && s <= max);
  if (!good)
    throw new FoveolaError(
      'invalid-argument',
      `vesselness: sigmas must be a list of 1 to 16 numbers from ${min} to ${max} px.`,
    );
  return { ...values, sigmas: [...(sigmas as number[])] };
}

async function byBands(context: CallContext, source: Plane, params: VesselnessValues): Promise<VesselnessResult> {
  const { width, height } = source;
  const side = context.runtime.wasm;
  const response = new Float32Array(width * height);
  const bestSigma = params.bestSigma ? new Float32Array(width * height) : null;
  await inBands(context, source, bestSigma ? 4 : 3, ([a, b, best, scales], y, end) => {
    const band = { addresses: [a!.address, b!.address] as const, stride: a!.stride, width, rows: end - y };
    for (const [k, sigma] of params.sigmas.entries()) {
      eigenvalueBand(side, source, { sigma, derivative: 'gaussian' }, 'magnitude', { ...band, first: y }, y, end);
      vesselnessRows(side, band, best!, scales ?? null, sigma, params, k === 0);
    }
    copyRows(side, best!, response, y, end);
    if (bestSigma) copyRows(side, scales!, bestSigma, y, end);
  });
  return bestSigma ? { width, height, response, bestSigma } : { width, height, response };
}

const vesselnessOperation = operationOn<[source: Source], Sigmas>()({
  params: table,
  sources: ['gray'],
  resolve,
  async run(context, [source], params): Promise<VesselnessResult> {
    const values = params;
    const { runtime } = context;
    const { width, height } = source!;
    const side = runtime.wasm;
    checkSigmas(source!, values.sigmas);
    const gpu = sideOf(runtime, vesselness, [source!]) === 'gpu';
    if (gpu) runtime.gpu!.usable();
    else await source!.arena();
    if (!gpu && wantsBands(side, source!)) return byBands(context, source!, values);
    const planes = gpu
      ? vesselnessGpu(runtime.gpu!, source!, values.sigmas, values)
      : side.guarded(() => vesselnessWasm(side, source!, values.sigmas, values, values.bestSigma));
    if (!values.bestSigma) planes.splice(1).forEach((plane) => plane.dispose());
    const [response, bestSigma] = await readAll(planes);
    return bestSigma ? { width, height, response: response!, bestSigma } : { width, height, response: response! };
  },
});

export const featureOperations = defineOperations({
  /**
   * Strength of dark or bright lines or blobs from the eigenvalues of the Hessian, normalized by sigma^2: `response` of
   * width x height, row by row, in gray 0..1, 0 where there is none. `sigma` is in pixels. Source: paper 003, figure 1;
   * normalization: Lindeberg 1998.
   * @throws {FoveolaError} (rejects) 'invalid-argument' where sigma exceeds the image, and as every call, see {@link Engine}
   */
  hessianFeature: featureOperation,
  /**
   * Frangi's vesselness: the largest over `sigmas` (pixels; by default 1, 2 and 3), 0..1, of width x height, row by row.
   * `c` is in gray 0..1. With `bestSigma: true` also the sigma of each pixel's largest response. Source: Frangi et al.,
   * MICCAI 1998, equation 15.
   * @throws {FoveolaError} (rejects) 'invalid-argument' for sigmas that are none or exceed the image, and as every call, see
   * {@link Engine}
   */
  vesselness: vesselnessOperation,
});
