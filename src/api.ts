/** Types of the public contract: the engine and its trackers. */
import type { Capabilities, PupilResult, Source } from './results/types.ts';
import type { ProcessOptions } from './runtime/engine-tracker.ts';
import type { CallOptions } from './runtime/engine.ts';

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

export interface PupilParameters {
  method: 'robust' | 'starburst' | 'threshold' | 'hough';
  fit: 'ellipse' | 'circle';
  eyes: 1 | 2;
  roi: { x: number; y: number; width: number; height: number } | null;
  millimetresPerPixel: number | null;
  [name: string]: unknown;
}

export type PupilTracker = TrackerHandle<PupilResult, PupilParameters>;

export interface Engine {
  readonly capabilities: Capabilities;
  /** At once. Throws 'invalid-argument' (a parameter out of range) and 'disposed'. */
  createPupilTracker(parameters?: Partial<PupilParameters>): PupilTracker;
  /** Idempotent; afterwards every call rejects with code 'disposed'. */
  dispose(): Promise<void>;
}

export type { CallOptions, ProcessOptions };
