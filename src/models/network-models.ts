/** The shipped networks of faces, each read once per engine. The code that runs them loads with the first one. */
import { EXTRAS_PART, FACES_PART, loadEnginePart } from '../runtime/engine-parts.ts';
import type { Runtime } from '../runtime/runtime.ts';
import { goOnWithout, ModelCache } from './load.ts';
import { readNetwork, type Network } from './network.ts';

const networkModel = (kind: string, name: string): ((runtime: Runtime) => Promise<Network>) => {
  const cache = new ModelCache({
    ...{ kind, shipped: [name], limit: 1 << 20 },
    read: async (bytes, runtime) => {
      await Promise.all([loadEnginePart(runtime, EXTRAS_PART), loadEnginePart(runtime, FACES_PART)]);
      return readNetwork(bytes);
    },
  });
  return (runtime) => cache.get(runtime, name);
};

export const loadFaceNetwork = networkModel('face-network', 'faces');
export const loadLandmarkNetwork = networkModel('landmark-network', 'landmarks-network');

/** Null, with one warning per engine, if the model or its code cannot be loaded. */
export const faceNetworkIfThere = (runtime: Runtime): Promise<Network | null> =>
  loadFaceNetwork(runtime).catch((error: unknown) => {
    goOnWithout(runtime, 'detection of turned faces', error);
    return null;
  });
