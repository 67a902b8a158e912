/** Landmark models by name, URL or bytes: trees in the compact form or dlib's format, or a network. */
import { EXTRAS_PART, loadEnginePart } from '../runtime/engine-parts.ts';
import type { Runtime } from '../runtime/runtime.ts';
import type { Plan } from '../runtime/wasm/kernel-step.ts';
import { isPacked, isPackedAs } from './container.ts';
import { openDat, withoutPauses } from './dlib-landmarks.ts';
import { openLandmarks, type PackedLandmarks } from './landmarks.ts';
import { ModelCache, type LoadOptions, type ModelSource } from './load.ts';
import { readNetwork, type Network } from './network.ts';

/** dlib's file for 68 points has 100 MB. A file with 106 points from the same training would have 155 MB. */
const LIMIT = 160 << 20;

/** All were trained only on rendered faces (docs/models.md). The first one is the default. */
export const shippedLandmarks = ['landmarks-network', 'landmarks-68'] as const;

export type PointModel = PackedLandmarks | Network;

/** Opens a model in pieces, because the largest file needs seconds. */
function* landmarksPlan(bytes: Uint8Array): Plan<PointModel> {
  if (isPackedAs(bytes, 'network')) return readNetwork(bytes);
  if (isPacked(bytes)) return openLandmarks(bytes);
  return yield* openDat(bytes);
}

/** Reads a model at once. @throws {FoveolaError} 'model-format', 'model-checksum' */
export const readLandmarks = (bytes: Uint8Array): PointModel => withoutPauses(landmarksPlan(bytes));

const cache = new ModelCache<PointModel>({
  ...{ kind: 'landmarks', shipped: shippedLandmarks, limit: LIMIT },
  read: async (bytes, runtime, pauses) => {
    await loadEnginePart(runtime, EXTRAS_PART);
    return runtime.driver.run(landmarksPlan(bytes), pauses);
  },
});

export const loadLandmarks = (runtime: Runtime, source: ModelSource, options?: LoadOptions): Promise<PointModel> =>
  cache.get(runtime, source, options);
