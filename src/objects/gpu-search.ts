/** What the GPU looks for in a frame while the WASM side follows points: the windows of those targets that suit it. */
import { FoveolaError } from '../runtime/error.ts';
import type { Plane } from '../runtime/plane.ts';
import type { Runtime } from '../runtime/runtime.ts';
import { Scope } from '../runtime/scope.ts';
import { drive } from '../runtime/stage.ts';
import type { Plan } from '../runtime/wasm/kernel-step.ts';
import { objectDetection } from './detection.ts';
import { DetectorGpu, frameOnGpu, type Survivors } from './detector.gpu.ts';
import type { SharedFrame } from './frame.ts';
import type { Target } from './target.ts';

/** What the GPU found for each target, and the variance that it asked for. */
export type Found = ReadonlyMap<number, { survivors: Survivors; least: number }>;

/** Lists that say nothing of the side. */
const none = new Float32Array(0);

/** Whether the GPU looks for this target in the frame. */
export function detectedOnGpu(runtime: Runtime, target: Target, source: Plane): boolean {
  const { grid } = target.detector(source).windows;
  return new Scope(runtime).sideOf(objectDetection, [source, grid, none, none]) === 'gpu';
}

/** What the GPU finds for each target; none where its context is lost: the WASM side then looks through the windows. */
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
