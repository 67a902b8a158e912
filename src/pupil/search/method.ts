/**
 * A method of pupil detection as the tracker sees it. The tracker has the frames, their order, the regions of the eyes,
 * blinks and results; a method has the image.
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

/** A pupil, and what the next frame starts from; null where none was found. */
export interface Found {
  readonly pupil: Pupil;
  readonly last: Last | null;
}

/** One frame of one eye. */
export interface View {
  readonly source: Plane;
  /** The preprocessing that the eyes share. */
  readonly frame: PreparedFrame;
  /** Where this eye may be. */
  readonly region: Region;
  /** Its pupil in the frame before. */
  readonly last: Last | null;
  /** Frames since it was seen, 0 at the start. */
  readonly lost: number;
}

/** Ends a search that was enqueued on the GPU; called in the order of the frames, with `last` and `lost` as of now. */
export type PendingSearch = (scope: Scope, view: View) => Plan<Found>;

/** The searches for one eye; frames of one size, and smaller ones. */
export interface Detector {
  /** A few long kernels: those of two eyes can run side by side, on a frame each. */
  readonly sideBySide?: boolean;
  /** A search of a whole region starts in dark regions, which are the same at any size. */
  readonly sameStarts?: boolean;
  /** How blurred the outline of the last search is, standard deviation in pixels; 0 where it was not measured. */
  readonly blur?: number;
  find(scope: Scope, view: View): Plan<Found>;
  /**
   * For frames that overlap on the GPU: enqueues what can be enqueued while earlier frames are in flight. `last` and `lost`
   * are those of the last frame that was finished, which is the frame before where the method says `startsFromLast`; the
   * result must not depend on them otherwise. The tracker runs the pending search with `frame` begun again for `source`.
   */
  enqueue?(scope: Scope, view: View): Plan<PendingSearch>;
  dispose(): void;
}

/** What the detectors of one tracker share: tables, programs of the GPU. */
export interface Method {
  /** Its search on the GPU starts from the pupil of the frame before, and so waits until that one is known. */
  readonly startsFromLast?: boolean;
  /** For frames of this size at most. */
  detector(width: number, height: number): Detector;
  /** Whether a part of it has a GPU side that suits these images: their results are waited for. */
  onGpu(scope: Scope, source: Plane): boolean;
  /** Whether its programs are to be compiled before the first frame. */
  prepare(scope: Scope): Promise<void>;
  /** Gives back what is shared, the detectors before. */
  dispose(): void;
}

// The search of one image as a stage, for each method: what a tracker does for one eye and one frame. The tracker keeps
// detectors from frame to frame; here one is made for the image.

const { variant, smoothing, reflections } = pupilParameters;
const findParameters = { variant, smoothing, reflections };
type FindParameters = typeof findParameters;

/** Image and last pupil: x, y, r, contrast, dark; nothing where there is none. Gives 1, x, y, r, or 0 and NaN. */
type FindStage = Stage<readonly ['u8', 'f32[]'], readonly ['f32[]'], FindParameters>;

interface FindOptions {
  readonly name: PupilValues['method'];
  readonly make: (runtime: Runtime, values: PupilValues) => Method;
  /** Why there is no GPU side. */
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
    // Pixels. The paper's circles go around the pupil on its outside.
    tolerance: 1.5,
    *wasm(scope, [source, last], params) {
      return [yield* find(scope, source, last, params)];
    },
  };
  if (wasmOnly) return { ...stage, wasmOnly };
  return {
    ...stage,
    fits: (gpu) => !gpu.lost,
    // docs/performance-tables.md: the WASM side was faster on every GPU that was measured.
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

/** No last pupil. */
export const noLast = new Float32Array(0);
