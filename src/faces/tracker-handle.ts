/** The face tracker as its user holds it: types alone. */
import type { ModelSource } from '../models/load.ts';
import type { FaceResult } from '../results/types.ts';
import type { CallOptions } from '../runtime/engine/options.ts';
import type { Given } from '../runtime/parameters.ts';
import type { TrackerHandle } from '../runtime/engine/tracker-proxy.ts';
import type { GivenCascades, faceTrackerParameters } from './parameters.ts';

export type FaceTrackerParameters = Required<Given<typeof faceTrackerParameters>>;

export interface FaceTracker extends TrackerHandle<FaceResult, FaceTrackerParameters> {
  /**
   * Another landmark model, or none (null). It is loaded while frames go on, and faces have its landmarks from the next
   * frame on; until then, and where it fails, everything stays as it was. `onProgress` gets the share of the bytes and a
   * LoadProgress. Rejects with 'invalid-argument', 'model-load', 'model-format', 'model-checksum', 'disposed', and with
   * 'aborted' after a cancel or another call.
   */
  setModel(model: ModelSource | null, options?: CallOptions): Promise<void>;
}

/** How the engine makes one. */
export type CreateFaceTracker = (
  parameters?: Partial<FaceTrackerParameters> & GivenCascades & { model?: ModelSource | null } & CallOptions,
) => Promise<FaceTracker>;
