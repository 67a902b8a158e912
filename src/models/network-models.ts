/** The shipped networks, each read once per engine. The code that runs them loads with the first one. */
import { EXTRAS_PART, FACES_PART, loadEnginePart } from '../runtime/engine-parts.ts';
import type { Runtime } from '../runtime/runtime.ts';
import { goOnWithout, ModelCache } from './load.ts';
import { readNetwork, type Network } from './network.ts';

type LoadNetwork<T = Network> = (runtime: Runtime) => Promise<T>;

/** `parts`: what its caller needs besides the code that runs it. */
function networkModel(kind: string, name: string, parts: readonly (typeof FACES_PART)[] = []): LoadNetwork {
  const cache = new ModelCache({
    ...{ kind, shipped: [name], limit: 1 << 20 },
    read: async (bytes, runtime) => {
      await Promise.all([loadEnginePart(runtime, EXTRAS_PART), ...parts.map((part) => loadEnginePart(runtime, part))]);
      return readNetwork(bytes);
    },
  });
  return (runtime) => cache.get(runtime, name);
}

/** How long a model that could not be loaded is not requested again, ms. */
const PAUSE = 60_000;

/** Null, with one warning per engine, if the model or its code cannot be loaded. */
function ifThere(load: LoadNetwork, what: string): LoadNetwork<Network | null> {
  const failed = new WeakMap<Runtime, number>();
  return async (runtime) => {
    if (performance.now() < (failed.get(runtime) ?? -PAUSE) + PAUSE) return null;
    return load(runtime).catch((error: unknown) => {
      failed.set(runtime, performance.now());
      goOnWithout(runtime, what, error);
      return null;
    });
  };
}

export const loadFaceNetwork = networkModel('face-network', 'faces', [FACES_PART]);
export const faceNetworkIfThere = ifThere(loadFaceNetwork, 'detection of turned faces');
export const loadVesselNetwork = networkModel('vessels', 'vessels');
export const vesselNetworkIfThere = ifThere(loadVesselNetwork, 'network of vessels');
export const kindNetworkIfThere = ifThere(
  networkModel('vessel-kinds', 'vessel-kinds'),
  'network of arteries and veins',
);
