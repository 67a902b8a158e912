/**
 * A method of pupil detection as the tracker uses it. The tracker manages the frames, their order, the regions of the
 * eyes, blinks and results. A method processes the image.
 */
import type { Ellipse, Pupil } from '../../results/types.ts';
import type { Plan } from '../../runtime/wasm/kernel-step.ts';
import type { Plane } from '../../runtime/plane.ts';
import type { Scope } from '../../runtime/scope.ts';
import { PreparedFrame } from '../preparation/prepared-frame.ts';
import { type Region, regionOf } from './region.ts';
import { resolveParameters, type Values } from '../../runtime/parameters.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import type { Stage } from '../../runtime/stage.ts';
import { pupilParameters, type PupilValues } from '../parameters.ts';

/**
 * The last pupil, where the next search starts. It has the same format for all methods, so it survives a change of
 * method.
 */
export interface Last {
  readonly x: number;
  readonly y: number;
  readonly r: number;
  /** The outline, independent of `fit`, or null. */
  readonly ellipse: Ellipse | null;
  /** Median step across the outline, in gray values. */
  readonly contrast: number;
  /** First percentile of the region's gray values. */
  readonly dark: number;
}

/** A pupil, and the start of the next frame, which is null if no pupil was found. */
export interface Found {
  readonly pupil: Pupil;
  readonly last: Last | null;
}

/** One frame of one eye. */
export interface View {
  readonly source: Plane;
  /** The preprocessing that the eyes share. */
  readonly frame: PreparedFrame;
  /** Possible area of this eye. */
  readonly region: Region;
  /** Its pupil in the previous frame. */
  readonly last: Last | null;
  /** Number of frames since the pupil was seen, 0 at the start. */
  readonly lost: number;
  /** Reports an outline of any confidence. */
  readonly any?: boolean | undefined;
}

/**
 * Ends a search that was enqueued on the GPU. The tracker calls it in frame order, with the current `last` and `lost`.
 */
export type PendingSearch = (scope: Scope, view: View) => Plan<Found>;

/** Searches for one eye, in frames up to a fixed size. */
export interface Detector {
  /**
   * True for a few long kernels. The kernels of two eyes can then run in parallel, each with its own prepared frame.
   */
  readonly sideBySide?: boolean;
  /** True if a search of a whole region starts in dark regions, which are the same at any size. */
  readonly sameStarts?: boolean;
  /** Blur of the last search's outline: standard deviation in pixels, 0 if it was not measured. */
  readonly blur?: number;
  find(scope: Scope, view: View): Plan<Found>;
  /**
   * For frames that overlap on the GPU. Enqueues everything that is possible while earlier frames are in flight. `last`
   * and `lost` belong to the last finished frame, which is the previous frame if the method has `startsFromLast`.
   * Otherwise the result must not depend on them. The tracker runs the pending search after it has started `frame`
   * again for `source`.
   */
  enqueue?(scope: Scope, view: View): Plan<PendingSearch>;
  dispose(): void;
}

/** Shared state of the detectors of one tracker: tables, GPU programs. */
export interface Method {
  /** True if its search on the GPU starts from the pupil of the previous frame, and therefore waits for that frame. */
  readonly startsFromLast?: boolean;
  /** Makes a detector for frames up to this size. */
  detector(width: number, height: number): Detector;
  /** Whether a part of it runs on the GPU for these images, so that results are asynchronous. */
  onGpu(scope: Scope, source: Plane): boolean;
  /** Compiles the programs before the first frame, if needed. */
  prepare(scope: Scope): Promise<void>;
  /** Frees the shared state. The detectors must be disposed first. */
  dispose(): void;
}

// The search of one image as a stage, for each method: the work of a tracker for one eye and one frame. The tracker
// keeps detectors between frames. Here one is made for the image.

const { variant, smoothing, reflections } = pupilParameters;
const findParameters = { variant, smoothing, reflections };
type FindParameters = typeof findParameters;

/** Inputs: image and last pupil (x, y, r, contrast, dark, or empty). Output: 1, x, y, r, or 0 and NaN. */
type FindStage = Stage<readonly ['u8', 'f32[]'], readonly ['f32[]'], FindParameters>;

interface FindOptions {
  readonly name: PupilValues['method'];
  readonly make: (runtime: Runtime, values: PupilValues) => Method;
  /** Reason for the missing GPU backend. */
  readonly wasmOnly?: string;
}

export function findStage({ name, make, wasmOnly }: FindOptions): FindStage {
  const find = (scope: Scope, source: Plane, last: Float32Array, params: Values<FindParameters>) =>
    findOnce(scope, source, last, resolveParameters(pupilParameters, { ...params, method: name }, name), make);
  const stage: FindStage = {
    name: `pupil/${name}`,
    params: findParameters,
    inputs: ['u8', 'f32[]'],
    outputs: ['f32[]'],
    // In pixels. The paper's circles follow the outer edge of the pupil.
    tolerance: 1.5,
    *wasm(scope, [source, last], params) {
      return [yield* find(scope, source, last, params)];
    },
  };
  if (wasmOnly) return { ...stage, wasmOnly };
  return {
    ...stage,
    fits: (gpu) => !gpu.lost,
    // lab/results/performance.md: WASM was faster than every GPU that was measured.
    pays: () => false,
    *gpu(scope, [source, last], params) {
      return [yield* find(scope, yield* scope.onArena(source), last, params)];
    },
  };
}

function* findOnce(
  scope: Scope,
  source: Plane,
  list: Float32Array,
  values: PupilValues,
  make: (runtime: Runtime, values: PupilValues) => Method,
): Plan<Float32Array> {
  const { width, height } = source;
  const region = regionOf(width, height, values, 0);
  if (!region) return Float32Array.of(0, NaN, NaN, NaN);
  const [x, y, r, contrast, dark] = list as unknown as [number, number, number, number, number];
  const last: Last | null = list.length ? { x, y, r, ellipse: null, contrast, dark } : null;
  const { runtime } = scope;
  const method = make(runtime, values);
  try {
    const frame = new PreparedFrame(runtime, width, height);
    try {
      const detector = method.detector(width, height);
      try {
        const view = { source, frame, region, last, lost: 0 };
        const pending = detector.enqueue && method.onGpu(scope, source) ? yield* detector.enqueue(scope, view) : null;
        yield* frame.begin(source, values);
        const { pupil } = yield* pending ? pending(scope, view) : detector.find(scope, view);
        return Float32Array.of(pupil.found ? 1 : 0, pupil.x, pupil.y, pupil.diameter / 2);
      } finally {
        detector.dispose();
      }
    } finally {
      frame.dispose();
    }
  } finally {
    method.dispose();
  }
}

/** Value for a missing last pupil. */
export const noLast = new Float32Array(0);
