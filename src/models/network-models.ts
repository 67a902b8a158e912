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

/** Null, with one warning per engine, if the model or its code cannot be loaded. */
const ifThere =
  (load: LoadNetwork, what: string): LoadNetwork<Network | null> =>
  (runtime) =>
    load(runtime).catch((error: unknown) => {
      goOnWithout(runtime, what, error);
      return null;
    });

export const loadFaceNetwork = networkModel('face-network', 'faces', [FACES_PART]);
export const faceNetworkIfThere = ifThere(loadFaceNetwork, 'detection of turned faces');
export const loadVesselNetwork = networkModel('vessels', 'vessels');
export const vesselNetworkIfThere = ifThere(loadVesselNetwork, 'network of vessels');
export const kindNetworkIfThere = ifThere(
  networkModel('vessel-kinds', 'vessel-kinds'),
  'network of arteries and veins',
);
