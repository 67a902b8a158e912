/** Landmark models by address or bytes, in the compact form or dlib's. */
import type { Runtime } from '../runtime/runtime.ts';
import { Turn, type Plan } from '../runtime/wasm/kernel-step.ts';
import { isPacked } from './container.ts';
import { withoutPauses, datPlan } from './dlib.ts';
import { openLandmarks, packLandmarks, type BoxMap, type PackedLandmarks } from './landmarks.ts';
import { ModelCache, type LoadOptions, type ModelSource } from './load.ts';

/** dlib's file of 68 points has 100 MB; one of 106 points that is trained alike would have 155. */
const LIMIT = 160 << 20;

/** Trained on rendered faces alone (docs/models.md): the whole one, which is the default, and a small one. */
export const shippedLandmarks = ['landmarks-68', 'landmarks-68-small'] as const;

/**
 * How the boxes of dlib's frontal detector, with which its models were trained, lie to those of frontalface_alt: the
 * median over 40 frames of two recordings with which no accuracy is measured, of the box in which the mean shape, moved
 * and scaled, lies best on the landmarks found (`npm run bench -- boxes faces`).
 */
export const dlibBox: BoxMap = { x: 0, y: 0.084, size: 0.896 };

/** In pieces: the largest file takes seconds. */
function* landmarksPlan(bytes: Uint8Array): Plan<PackedLandmarks> {
  if (isPacked(bytes)) return openLandmarks(bytes);
  const model = yield* datPlan(bytes, { box: dlibBox });
  const packed = packLandmarks(model, 'exact');
  yield* new Turn();
  return openLandmarks(packed);
}

/** At once. @throws {FoveolaError} 'model-format', 'model-checksum' */
export const readLandmarks = (bytes: Uint8Array): PackedLandmarks => withoutPauses(landmarksPlan(bytes));

const cache = new ModelCache({
  kind: 'landmarks',
  shipped: shippedLandmarks,
  limit: LIMIT,
  read: (bytes, { driver }, pauses) => driver.run(landmarksPlan(bytes), pauses),
});

export const loadLandmarks = (runtime: Runtime, source: ModelSource, options?: LoadOptions): Promise<PackedLandmarks> =>
  cache.get(runtime, source, options);
