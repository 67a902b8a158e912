/** Search on the GPU while WASM tracks points: the windows of those targets that run faster there. */
import { CandidateRecord } from '../runtime/wasm/records.ts';
import { number } from '../runtime/parameters.ts';
import { Scope } from '../runtime/scope.ts';
import { defineStage, drive } from '../runtime/stage.ts';
import { DetectorGpu, frameOnGpu, type Survivors } from './detector.gpu.ts';
import { Detector } from './detector.ts';
import { FERNS } from './model.ts';
import { SharedFrame, withoutFlow } from './frame.ts';
import { type Grid, layoutOf } from './windows.ts';
import { objectParameters } from './parameters.ts';
import { FoveolaError } from '../runtime/error.ts';
import type { Plane } from '../runtime/plane.ts';
import type { Runtime } from '../runtime/runtime.ts';
import type { Plan } from '../runtime/wasm/kernel-step.ts';
import type { Target } from './target.ts';

// The first two parts of the detector as a stage: the windows of a grid with enough variance and enough votes of the
// ferns. The tracker stores its windows and posteriors in the arena between frames. Here they are laid out for one
// image.

declare module '../runtime/kinds.ts' {
  interface Kinds {
    'window-grid': Grid;
  }
}

const { fernThreshold } = objectParameters;

/** x, y, width, height, number in grid order and vote of each candidate, highest vote first. */
function candidatesOf(scope: Scope, { record }: Detector): Float64Array {
  const fields = ['x', 'y', 'width', 'height', 'number', 'vote'] as const;
  const list = new Float64Array(fields.length * record.get('candidateCount'));
  for (let i = 0; i < list.length / fields.length; i++) {
    const window = scope.view(CandidateRecord, record.get('candidates') + CandidateRecord.bytes * i);
    fields.forEach((name, k) => (list[fields.length * i + k] = window.get(name)));
  }
  return list;
}

/** Inputs: image, windows, points of the ferns (x1, y1, x2, y2 of each comparison), and posteriors of their codes. */
export const objectDetection = defineStage({
  name: 'objects/detection',
  params: {
    leastVariance: number({ default: 200, min: 0, max: 16256, effect: 'Windows with less variance are skipped.' }),
    fernThreshold,
  },
  inputs: ['u8', 'window-grid', 'f32[]', 'f32[]'],
  outputs: ['f64[]'],
  tolerance: 0,
  fits: (gpu, [, grid]) => !gpu.lost && DetectorGpu.fits(gpu, layoutOf(grid)),
  // lab/results/performance.md: with threads, WASM was as fast or faster than the GPUs that were measured.
  pays: () => false,
  *gpu(scope, [source, grid, table, posteriors], { leastVariance: least, fernThreshold }) {
    const detector = scope.own(new Detector(scope.runtime, grid, table, 1));
    const image = frameOnGpu(scope, source);
    const [survivors] = yield* DetectorGpu.survivors(scope, image, [{ detector: detector.gpu(), least }]);
    const learned = { posteriors: scope.table(posteriors).address };
    yield* detector.confidences(survivors!, learned, FERNS * fernThreshold);
    return [candidatesOf(scope, detector)];
  },
  *wasm(scope, [source, grid, table, posteriors], { leastVariance, fernThreshold }) {
    const detector = scope.own(new Detector(scope.runtime, grid, table, 1));
    const frame = scope.own(yield* SharedFrame.make(scope.runtime, source, withoutFlow));
    const learned = { posteriors: scope.table(posteriors).address };
    yield* detector.variance(frame, leastVariance);
    yield* detector.votes(frame, learned, FERNS * fernThreshold);
    return [candidatesOf(scope, detector)];
  },
});

/** Windows that the GPU found for each target, and the minimum variance that it used. */
export type Found = ReadonlyMap<number, { survivors: Survivors; least: number }>;

/** Empty list, for inputs that do not affect the choice of the backend. */
const none = new Float32Array(0);

/** Whether the GPU searches for this target in the frame. */
export function detectedOnGpu(runtime: Runtime, target: Target, source: Plane): boolean {
  const { grid } = target.detector(source).windows;
  return new Scope(runtime).backendOf(objectDetection, [source, grid, none, none]) === 'gpu';
}

/**
 * Returns the windows that the GPU finds for each target. Empty if the context is lost: then WASM checks the windows.
 */
export async function survivorsOf(runtime: Runtime, all: readonly Target[], frame: SharedFrame): Promise<Found> {
  const targets = all.filter((target) => detectedOnGpu(runtime, target, frame.gray));
  frame.partly = targets.length === all.length;
  try {
    return await drive(runtime, function* (scope): Plan<Found> {
      const asked = targets.map((target) => ({
        id: target.id,
        detector: target.detector(frame).gpu(),
        least: target.leastVariance,
      }));
      const found = yield* DetectorGpu.survivors(scope, frameOnGpu(scope, frame.gray), asked);
      return new Map(asked.map(({ id, least }, i) => [id, { least, survivors: found[i]! }]));
    });
  } catch (error) {
    if (error instanceof FoveolaError && error.code === 'context-lost') return new Map();
    throw error;
  }
}
