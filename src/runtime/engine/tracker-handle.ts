/** A tracker as its user holds it: types alone. */
import type { Source } from '../../results/types.ts';
import type { ProcessOptions } from './engine-tracker.ts';

/** What every tracker has. `process` calls may overlap and resolve in order. */
export interface TrackerHandle<Result, Parameters extends object> {
  process(source: Source, options?: ProcessOptions): Promise<Result>;
  /** Forgets everything about the frames so far. */
  reset(): Promise<void>;
  /** Changes some parameters from the next frame on. */
  setParameters(parameters: Partial<Parameters>): Promise<void>;
  /** Idempotent; afterwards calls reject with 'disposed'. */
  dispose(): Promise<void>;
}
