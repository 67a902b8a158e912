/**
 * The search of one image as a stage, for each method: what a tracker does for one eye and one frame. The tracker keeps
 * detectors from frame to frame; here one is made for the image.
 */
import type { Plan } from '../../runtime/wasm/kernel-step.ts';
import { resolveParameters, type Values } from '../../runtime/parameters.ts';
import type { Plane } from '../../runtime/plane.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import type { Scope } from '../../runtime/scope.ts';
import type { Stage } from '../../runtime/stage.ts';
import { pupilParameters, type PupilValues } from '../parameters.ts';
import { PreparedFrame } from '../preparation/prepared-frame.ts';
import type { Last, Method } from './method.ts';
import { regionOf } from './region.ts';

const { variant, smoothing, reflections } = pupilParameters;
const findParameters = { variant, smoothing, reflections };
type FindParameters = typeof findParameters;

/** Image and last pupil: x, y, r, contrast, dark; nothing where there is none. Gives 1, x, y, r, or 0 and NaN. */
export type FindStage = Stage<readonly ['u8', 'f32[]'], readonly ['f32[]'], FindParameters>;

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
