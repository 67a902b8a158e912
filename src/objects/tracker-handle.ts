/** The object tracker as its user holds it: types alone. */
import type { Box, ObjectResult, Source } from '../results/types.ts';
import type { TrackerHandle } from '../runtime/engine/tracker-proxy.ts';
import type { ObjectValues } from './parameters.ts';

/** Long-term tracking of one or several boxes; numbers of targets are 1, 2, ... */
export interface ObjectTracker extends TrackerHandle<ObjectResult, ObjectValues> {
  /** Forgets all targets and begins with this box of this frame, in its pixels; the first `add`. */
  start(source: Source, box: Box): Promise<number>;
  /** Another target in the last frame. */
  add(box: Box): Promise<number>;
  remove(id: number): Promise<void>;
  /** Teaches where a target is in the last frame. */
  correct(id: number, box: Box): Promise<void>;
  /** What was learned of a target, as bytes to be kept. */
  exportModel(id: number): Promise<Uint8Array>;
  /**
   * A target from such bytes, with a number of its own where `id` is not given; it is looked for from the next frame on.
   * Throws 'model-format' and 'model-checksum'.
   */
  importModel(bytes: Uint8Array, id?: number): Promise<number>;
}
