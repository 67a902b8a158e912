/**
 * A method of pupil detection as the tracker sees it. The tracker has the frames, their order, the regions of the eyes,
 * blinks and results; a method has the image.
 */
import type { Ellipse, Pupil } from '../../results/types.ts';
import type { Plane } from '../../runtime/plane.ts';
import type { PreparedFrame } from '../preparation/prepared-frame.ts';
import type { Region } from './region.ts';

/** The last pupil: where the next search starts. The same for all methods, so that a change of method keeps it. */
export interface Last {
  readonly x: number;
  readonly y: number;
  readonly r: number;
  /** The outline, whatever `fit` asks for; null where there is none. */
  readonly ellipse: Ellipse | null;
  /** Median step across the outline, gray levels. */
  readonly contrast: number;
  /** First percentile of the region's levels. */
  readonly dark: number;
}

/** One call of a kernel. */
export interface KernelCall {
  readonly kernel: string;
  readonly args: readonly number[];
}

/** A search as the calls of kernels that it needs, one after the other. */
export type Steps = Generator<KernelCall, Pupil, void>;

/**
 * Ends a search that was enqueued on the GPU; called in the order of the frames. `lost` and `last` as in `find`: they are
 * those of the frame before by now.
 */
export type Landing = (lost: number, last: Last | null) => Promise<Pupil>;

/** The searches for one eye; frames of one size. */
export interface Detector {
  /**
   * The pupil of one frame, on the WASM side, at once. `frame` is the preprocessing that the eyes share, `region` where
   * this eye may be, `last` its pupil in the frame before or null, `lost` the frames since it was seen, 0 at the start.
   */
  find(source: Plane, frame: PreparedFrame, region: Region, last: Last | null, lost: number): Pupil;
  /** The same as `find`, for methods of a few long calls: those of two eyes can run side by side, on a frame each. */
  steps?(source: Plane, frame: PreparedFrame, region: Region, last: Last | null, lost: number): Steps;
  /**
   * Enqueues what can be enqueued while earlier frames are in flight. `last` and `lost` are those of the last frame that
   * landed. The tracker calls the landing with `frame` begun anew for `source`. Null: nothing for the GPU here, `find`
   * is called when the frames before have landed.
   */
  launch(source: Plane, frame: PreparedFrame, region: Region, last: Last | null, lost: number): Landing | null;
  /** What the frame after a found pupil starts from; asked right after its `find` or landing. */
  next(pupil: Pupil): Last;
  dispose(): void;
}

/** What the detectors of one tracker share: tables, programs of the GPU. */
export interface Method {
  detector(width: number, height: number): Detector;
  /** Whether frames of this size go through `launch`. */
  usesGpu(width: number, height: number): boolean;
  /** Compiles the programs that the first frame needs. */
  prepare(): Promise<void>;
  /** Gives back what is shared, the detectors before. */
  dispose(): void;
}
