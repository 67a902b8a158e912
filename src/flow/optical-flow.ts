/** engine.opticalFlow: pyramids, the flow, its way back if asked for, and the result as lists. */
import type { Source } from '../results/types.ts';
import { defineOperations, operationOn, operationOfParts } from '../runtime/capability.ts';
import type { Plan } from '../runtime/wasm/kernel-step.ts';
import { sparseParameters, denseParameters, fieldParameters, type FieldValues } from './parameters.ts';
import { checkPoints, pointTracks, sameSize, type TrackedPoints } from './track-points.ts';
import { toSamples } from '../image/image-of.ts';
import type { Texture } from '../runtime/gpu/gpu-side.ts';
import type { Plane } from '../runtime/plane.ts';
import type { Scope } from '../runtime/scope.ts';
import { defineStage, type OutputsOf } from '../runtime/stage.ts';
import { denseFlowGpu, returnDistance } from './dense.gpu.ts';
import type { Manner } from './dense.ts';
import { checkFrames, flowFits, flowMaps, mapsOnWasm } from './flow-maps.ts';
import { gpuPyramid } from './pyramid.gpu.ts';

// Optical flow as calls of the engine.

const trackPointsOperation = operationOn<[previous: Source, next: Source, points: Float32Array]>()({
  params: sparseParameters,
  sources: ['gray', 'gray'],
  data: ['points'],
  *plan(scope, [from, to], params, given): Plan<TrackedPoints> {
    checkPoints(given);
    sameSize(from, to);
    const start = new Float32Array(0);
    const [points, status, error, back] = yield* scope.run(pointTracks, [from, to, given, start], params);
    return { points, status, error, ...(params.forwardBackward && { forwardBackward: back }) };
  },
});

export const pointOperations = defineOperations({
  /**
   * Follows `points` (x and y of each, in source pixels) from one frame to the next of the same size by pyramidal
   * Lucas-Kanade, with OpenCV's rules and fixed point. `status` and `error` have one entry a point, `points` two.
   * Source: Bouguet 2000, "Pyramidal implementation of the affine Lucas Kanade feature tracker".
   * @throws {FoveolaError} (rejects) 'invalid-argument' for frames of two sizes or points that are no pairs, and as every
   * call, see {@link Engine}
   */
  trackPoints: trackPointsOperation,
});

export interface OpticalFlowResult {
  width: number;
  height: number;
  /** Where pixel (x, y) of the previous frame is in the next one: (x + u, y + v). Row by row, in pixels. */
  u: Float32Array;
  v: Float32Array;
  /**
   * 1: measured. 0: too little texture for both components (the flow is that of a coarser level, or 0), the pixel left
   * the frame, or it failed the forward-backward check. With `variant: 'paper'` as the status of `trackPoints`, which is
   * OpenCV's: a pixel may leave the frame by up to half a window.
   */
  valid: Uint8Array;
  /** 0..1: smaller eigenvalue of the mean structure tensor over itself plus the mean squared residual; 0 if not valid. */
  confidence: Float32Array;
  /** How far from its start a pixel ends that follows the flow there and back; where the check was asked for. */
  forwardBackward?: Float32Array;
}

const frames = ['u8', 'u8'] as const;
/** u, v, validity, confidence, way back (none unless asked for): the fields of the result. */
const fields = ['f32[]', 'f32[]', 'u8[]', 'f32[]', 'f32[]'] as const;
type Fields = OutputsOf<typeof fields>;

export const flowField = defineStage({
  name: 'flow/dense',
  params: fieldParameters,
  inputs: frames,
  outputs: fields,
  tolerance: 0.01,
  fits: flowFits,
  gpu: (scope, [from, to], params) => onGpu(scope, from, to, params, {}),
  wasm: (scope, [from, to], params) => onWasm(scope, from, to, params, {}),
});

export const flowOfWindows = defineStage({
  name: 'flow/windows',
  params: fieldParameters,
  inputs: frames,
  outputs: fields,
  tolerance: 0.01,
  fits: flowFits,
  gpu: (scope, [from, to], params) => onGpu(scope, from, to, params, { windows: true }),
  wasm: (scope, [from, to], params) => onWasm(scope, from, to, params, { windows: true }),
});

const { variant } = denseParameters;

export const refinedFlow = defineStage({
  name: 'flow/refine',
  params: { variant, ...fieldParameters },
  inputs: frames,
  outputs: fields,
  tolerance: 0.01,
  fits: flowFits,
  gpu: (scope, [from, to], { variant, ...params }) =>
    onGpu(scope, from, to, params, { windows: variant === 'paper', refined: true }),
  wasm: (scope, [from, to], { variant, ...params }) =>
    onWasm(scope, from, to, params, { windows: variant === 'paper', refined: true }),
});

type Parts = 'u' | 'v' | 'valid' | 'confidence' | 'forwardBackward';

const opticalFlowOperation = operationOfParts<[previous: Source, next: Source], OpticalFlowResult, Parts>()({
  params: denseParameters,
  sources: ['gray', 'gray'],
  *plan(scope, [from, to], { variant, refine, ...params }): Plan<OpticalFlowResult> {
    const { width, height } = from;
    if (scope.options.keep) {
      const [u, v, valid, confidence, far] = yield* scope.run(flowMaps, [from, to], { variant, refine, ...params });
      return {
        ...{ width, height, u: yield* toSamples<Float32Array>(scope, u), v: yield* toSamples<Float32Array>(scope, v) },
        valid: yield* toSamples<Uint8Array>(scope, valid),
        confidence: yield* toSamples<Float32Array>(scope, confidence),
        ...(params.maxForwardBackward > 0 && { forwardBackward: yield* toSamples<Float32Array>(scope, far) }),
      };
    }
    const [u, v, valid, confidence, forwardBackward] = refine
      ? yield* scope.run(refinedFlow, [from, to], { variant, ...params })
      : yield* scope.run(variant === 'paper' ? flowOfWindows : flowField, [from, to], params);
    const result = { width, height, u, v, valid, confidence };
    return params.maxForwardBackward > 0 ? { ...result, forwardBackward } : result;
  },
});

function* onWasm(scope: Scope, previous: Plane, next: Plane, params: FieldValues, manner: Manner): Plan<Fields> {
  const maps = yield* mapsOnWasm(scope, previous, next, params, manner);
  const [u, v, valid, confidence, far] = maps;
  const floats = function* (plane: Plane): Plan<Float32Array> {
    return (yield* scope.read(plane)) as Float32Array;
  };
  return [
    yield* floats(u),
    yield* floats(v),
    (yield* scope.read(valid)) as Uint8Array,
    yield* floats(confidence),
    params.maxForwardBackward > 0 ? yield* floats(far) : new Float32Array(0),
  ];
}

/** A pixel further than `limit` from its start is not valid. */
function check(valid: Uint8Array, confidence: Float32Array, far: Float32Array, limit: number): void {
  for (let i = 0; i < valid.length; i++)
    if (!(far[i]! <= limit)) {
      valid[i] = 0;
      confidence[i] = 0;
    }
}

function* onGpu(scope: Scope, previous: Plane, next: Plane, params: FieldValues, manner: Manner): Plan<Fields> {
  checkFrames(previous, next);
  const [from, to] = [gpuPyramid(scope, previous, params), gpuPyramid(scope, next, params)];
  const both = params.maxForwardBackward > 0;
  const report = (first: number) => (done: number) => scope.progress(both ? first + done / 2 : done);
  const there = yield* denseFlowGpu(scope, from, to, params, manner, report(0));
  if (!both) return yield* unpacked(scope, there, yield* scope.wait(scope.gpu.read(there)));
  const back = yield* denseFlowGpu(scope, to, from, params, manner, report(0.5));
  const distances = returnDistance(scope, there, back);
  const [texels, returns] = yield* scope.wait(Promise.all([scope.gpu.read(there), distances.read()]));
  const [u, v, valid, confidence] = yield* unpacked(scope, there, texels);
  const far = returns as Float32Array;
  check(valid, confidence, far, params.maxForwardBackward);
  return [u, v, valid, confidence, far];
}

/** From texels of u, v, confidence and validity. */
function* unpacked(scope: Scope, { width, height }: Texture<'rgba32f'>, bytes: Uint8Array): Plan<Fields> {
  const texels = new Float32Array(bytes.buffer, bytes.byteOffset, 4 * width * height);
  const count = width * height;
  const u = new Float32Array(count);
  const v = new Float32Array(count);
  const confidence = new Float32Array(count);
  const valid = new Uint8Array(count);
  for (let first = 0; first < count; first += 1 << 20) {
    const last = Math.min(count, first + (1 << 20));
    for (let i = first, t = 4 * first; i < last; i++, t += 4) {
      u[i] = texels[t]!;
      v[i] = texels[t + 1]!;
      confidence[i] = texels[t + 2]!;
      valid[i] = texels[t + 3]!;
    }
    yield* scope.turn();
  }
  return [u, v, valid, confidence, new Float32Array(0)];
}

export const flowOperations = defineOperations({
  /**
   * The motion of every pixel by dense pyramidal Lucas-Kanade between two frames of the same size: `u` to the right and
   * `v` down in pixels, `valid` and `confidence`, each of width x height, row by row. `onProgress` gets how far it is.
   * With `keep: true` each field stays in the engine as an image of its own. Source: Lucas and Kanade 1981, Bouguet 2000; `variant: 'paper'` moves a window of its own for each pixel, as Bouguet.
   * @throws {FoveolaError} (rejects) 'invalid-argument' for frames of two sizes or of less than 2x2 pixels, and as every
   * call, see {@link Engine}
   */
  opticalFlow: opticalFlowOperation,
});
