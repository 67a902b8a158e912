/** Landmark models by address or bytes, in the compact form or dlib's. */
import type { Runtime } from '../runtime/runtime.ts';
import { isPacked } from './container.ts';
import { readDat } from './dlib.ts';
import { openLandmarks, packLandmarks, type BoxMap, type PackedLandmarks } from './landmarks.ts';
import { ModelCache, type LoadOptions, type ModelSource } from './load.ts';

const LIMIT = 256 << 20;

/** Trained on rendered faces alone (docs/models.md): the whole one, which is the default, and a small one. */
export const shippedLandmarks = ['landmarks-68', 'landmarks-68-small'] as const;

/**
 * How the boxes of dlib's frontal detector, with which its models were trained, lie to those of frontalface_alt: the
 * median over 40 frames of two recordings with which no accuracy is measured, of the box in which the mean shape, moved
 * and scaled, lies best on the landmarks found (`npm run bench -- boxes faces`).
 */
export const dlibBox: BoxMap = { x: 0, y: 0.084, size: 0.896 };

/** @throws {FoveolaError} 'model-format', 'model-checksum' */
export function readLandmarks(bytes: Uint8Array): PackedLandmarks {
  return openLandmarks(isPacked(bytes) ? bytes : packLandmarks(readDat(bytes, { box: dlibBox }), 'exact'));
}

const cache = new ModelCache({ kind: 'landmarks', shipped: shippedLandmarks, limit: LIMIT, read: readLandmarks });

export const loadLandmarks = (runtime: Runtime, source: ModelSource, options?: LoadOptions): Promise<PackedLandmarks> =>
  cache.get(runtime, source, options);
