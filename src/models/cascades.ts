/** Cascades in any of their three forms, and those that are shipped. */
import type { Runtime } from '../runtime/runtime.ts';
import { unpackCascade, type Cascade } from './cascade.ts';
import { readCascadeXml } from './cascade-xml.ts';
import { isPacked, wrongFormat } from './container.ts';
import { ModelCache, type LoadOptions, type ModelSource } from './load.ts';

export const shippedCascades = ['frontalface_alt', 'frontalface_alt2', 'frontalface_default'] as const;

/** The largest one in use, of OpenCV, has 2.7 MB. */
const LIMIT = 8 << 20;

/** A cascade from the bytes of its compact form or of OpenCV's XML. @throws {FoveolaError} 'model-format', 'model-checksum' */
export function readCascade(bytes: Uint8Array): Cascade {
  if (isPacked(bytes)) return unpackCascade(bytes);
  const start = new TextDecoder().decode(bytes.subarray(0, 64)).trimStart();
  if (!start.startsWith('<')) throw wrongFormat('This is no cascade: neither the compact form nor the XML of OpenCV.');
  return readCascadeXml(new TextDecoder().decode(bytes));
}

const cache = new ModelCache({ kind: 'cascade', shipped: shippedCascades, limit: LIMIT, read: readCascade });

export const loadCascade = (runtime: Runtime, source: ModelSource, options?: LoadOptions): Promise<Cascade> =>
  cache.get(runtime, source, options);
