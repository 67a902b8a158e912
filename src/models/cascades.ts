/** Cascades in any of their three forms, and the shipped cascades. */
import { EXTRAS_PART, FACES_PART, loadEnginePart } from '../runtime/engine-parts.ts';
import type { Runtime } from '../runtime/runtime.ts';
import { unpackCascade, type Cascade } from './cascade.ts';
import { wrongFormat, isPacked } from './container.ts';
import { ModelCache, type LoadOptions, type ModelSource } from './load.ts';
import { readCascadeXml } from './opencv-cascade.ts';

export const shippedCascades = ['frontalface_alt', 'frontalface_alt2', 'frontalface_default'] as const;

/** The largest file in use, from OpenCV, has 2.7 MB. */
const LIMIT = 8 << 20;

/**
 * Reads a cascade from the bytes of its compact form or of OpenCV's XML.
 * @throws {FoveolaError} 'model-format', 'model-checksum'
 */
export function readCascade(bytes: Uint8Array): Cascade {
  if (isPacked(bytes)) return unpackCascade(bytes);
  const start = new TextDecoder().decode(bytes.subarray(0, 64)).trimStart();
  if (!start.startsWith('<')) throw wrongFormat('This is not a cascade in compact form or OpenCV XML.');
  return readCascadeXml(new TextDecoder().decode(bytes));
}

const cache = new ModelCache({
  ...{ kind: 'cascade', shipped: shippedCascades, limit: LIMIT },
  read: async (bytes, runtime) => {
    await loadEnginePart(runtime, FACES_PART); // what searches with it
    if (!isPacked(bytes)) await loadEnginePart(runtime, EXTRAS_PART);
    return readCascade(bytes);
  },
});

export function loadCascade(runtime: Runtime, source: ModelSource, options?: LoadOptions): Promise<Cascade> {
  void loadEnginePart(runtime, FACES_PART); // together with the model
  return cache.get(runtime, source, options);
}
