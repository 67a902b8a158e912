/** engine.vessels: vessels of a fundus photograph, see segment/find-vessels.ts. */
import { keptImage, keptSamples } from '../image/image-of.ts';
import type { Network } from '../models/network.ts';
import { loadVesselNetwork, vesselNetworkIfThere } from '../models/network-models.ts';
import type { Source, VesselResult } from '../results/types.ts';
import { defineOperations, operationOfParts } from '../runtime/capability.ts';
import { loadEnginePart, VESSELS_PART } from '../runtime/engine-parts.ts';
import { FoveolaError } from '../runtime/error.ts';
import { resolveParameters, type Values } from '../runtime/parameters.ts';
import type { Scope } from '../runtime/scope.ts';
import type { Plan } from '../runtime/wasm/kernel-step.ts';
import { vesselParameters } from './parameters.ts';
import { type BlockResponse, findVessels } from './segment/find-vessels.ts';
import { scaleOf } from './segment/working-plane.ts';

// The response in results: stored as the blocks that it was computed on. The full map has four bytes per pixel. Writing
// and transferring it takes longer than the detection of the vessels, and few callers read it. It is therefore computed
// on first access, in the caller's thread.

/**
 * The response at every pixel, row by row, by linear interpolation between the centers of the blocks. Beyond the outer
 * centers the value is constant.
 */
export function enlargeResponse({ values, columns, rows, block, width, height }: BlockResponse): Float32Array {
  const out = new Float32Array(width * height);
  const line = new Float32Array(columns + 1);
  const place = (i: number, count: number) => Math.min(Math.max((i + 0.5) / block - 0.5, 0), count - 1);
  const places = Float64Array.from({ length: width }, (_, x) => place(x, columns));
  let at = 0;
  for (let y = 0; y < height; y++) {
    const v = place(y, rows);
    const top = v | 0;
    for (let x = 0, i = top * columns; x < columns; x++, i++)
      line[x] = values[i]! + (v > top ? (v - top) * (values[i + columns]! - values[i]!) : 0); // no row below the last one
    line[columns] = line[columns - 1]!;
    for (const u of places) {
      const left = u | 0;
      out[at++] = line[left]! + (u - left) * (line[left + 1]! - line[left]!);
    }
  }
  return out;
}

/**
 * Adds the full `response` to a result, computed on first access. Afterwards it is an ordinary member of the result.
 */
export function withResponse(result: { response: Float32Array | BlockResponse }): void {
  const blocks = result.response as BlockResponse;
  let made: Float32Array | undefined;
  Object.defineProperty(result, 'response', {
    get: () => (made ??= enlargeResponse(blocks)),
    set: (value: Float32Array) => (made = value),
  });
}

type Params = Values<typeof vesselParameters>;

const WITHOUT_NETWORK = 'The learned network could not be used, so the vessels are from line filters.';

/** The network of a call. Null if it searches lines, with a warning if it should have used the network. */
function* networkOf(
  scope: Scope,
  { variant, sigma }: Params,
): Plan<{ network: Network | null; warnings: readonly string[] }> {
  if (variant === 'network') return { network: yield* scope.wait(loadVesselNetwork(scope.runtime)), warnings: [] };
  if (variant !== 'default' || sigma > 0) return { network: null, warnings: [] };
  const network = scope.options.sync ? null : yield* scope.wait(vesselNetworkIfThere(scope.runtime));
  return { network, warnings: network ? [] : [WITHOUT_NETWORK] };
}

function resolve(given: Record<string, unknown>): Params {
  const params = resolveParameters(vesselParameters, given, 'vessels');
  if (params.variant === 'network' && params.sigma > 0)
    throw new FoveolaError('invalid-argument', "vessels: the network has no sigma. Omit it, or use variant 'lines'.");
  return params;
}

type Parts = 'mask' | 'response' | 'fieldOfView' | 'skeleton';

const vesselsOperation = operationOfParts<[source: Source], VesselResult, Parts>()({
  params: vesselParameters,
  sources: ['pixels'],
  resolve,
  arrived: withResponse,
  *plan(scope, [source], params): Plan<VesselResult> {
    const loading = loadEnginePart(scope.runtime, VESSELS_PART);
    if (loading) yield* scope.wait(loading);
    const { scale, warnings } = scaleOf(params.micrometresPerPixel, source.file);
    const { network, warnings: missing } = yield* networkOf(scope, params);
    const given = { ...params, micrometresPerPixel: scale?.micrometresPerPixel ?? 0 };
    const found = yield* findVessels(scope, source, given, network);
    const { mask, response, fieldOfView, skeleton } = found;
    const kept = scope.options.keep && (yield* keptSamples(scope, mask, enlargeResponse(response)));
    return {
      ...{ ...found, mask: yield* keptImage(scope, mask), response: kept || (response as unknown as Float32Array) },
      fieldOfView: yield* keptImage(scope, fieldOfView),
      ...(skeleton && { skeleton: yield* keptImage(scope, skeleton) }),
      ...{ warnings: [...missing, ...found.warnings, ...warnings], scale },
      ...(source.file?.dicom && { dicom: source.file.dicom }),
    };
  },
});

export const vesselOperations = defineOperations({
  /**
   * Vessels of a fundus photograph: `mask` (255), `response` (computed on first access) and `fieldOfView`, all in the
   * size of the source, with a confidence and warnings. `sigma` is in pixels of the source. `measures: true` adds
   * skeleton, branch points and segments, with lengths and widths in pixels, and in micrometers if the scale is known.
   * With `keep: true` mask, response, field of view and skeleton stay in the engine. A learned network finds the
   * vessels (models/vessels.bin, 98 kB, loaded on first use). `variant: 'lines'` and 'paper' search dark lines, the
   * latter with the eigenvalues at the widest scale. The eigenvalues follow Ben Sayadia et al., J. Electronic Imaging 29(6), 2020. The
   * steps from eigenvalues to vessels are our own.
   * @throws {FoveolaError} (rejects) as every call of the engine, see {@link Engine}
   */
  vessels: vesselsOperation,
});
