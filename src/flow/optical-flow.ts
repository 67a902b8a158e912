/** engine.opticalFlow: pyramids, the flow, the backward flow if requested, and the result as lists. */
import type { Source } from '../results/types.ts';
import { defineOperations, operationOn, operationOfParts } from '../runtime/capability.ts';
import type { Plan } from '../runtime/wasm/kernel-step.ts';
import { sparseParameters, denseParameters, fieldParameters, type FieldValues } from './parameters.ts';
import { checkPoints, pointTracks, sameSize, type TrackedPoints } from './track-points.ts';
import { toSamples } from '../image/image-of.ts';
import type { Texture } from '../runtime/gpu/gpu-backend.ts';
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
   * Lucas-Kanade, with OpenCV's rules and fixed point. `status` and `error` have one entry per point, `points` has two.
   * Source: Bouguet 2000, "Pyramidal implementation of the affine Lucas Kanade feature tracker".
   * @throws {FoveolaError} (rejects) 'invalid-argument' if the frames differ in size or points are not pairs, and as
   * every call, see {@link Engine}
   */
  trackPoints: trackPointsOperation,
});

export interface OpticalFlowResult {
  width: number;
  height: number;
  /** Pixel (x, y) of the previous frame is at (x + u, y + v) in the next one. Row by row, in pixels. */
  u: Float32Array;
  v: Float32Array;
  /**
   * 1 means measured. 0 means that there was too little texture for both components, that the pixel left the frame, or
   * that it failed the forward-backward check. With too little texture, the flow is from a coarser level, or 0.
   * `variant: 'paper'` uses the status of `trackPoints`, which follows OpenCV: a pixel may leave the frame by up to
   * half a window.
   */
  valid: Uint8Array;
  /**
   * 0..1: the smaller eigenvalue of the mean structure tensor divided by the sum of itself and the mean squared
   * residual. 0 if not valid.
   */
  confidence: Float32Array;
  /**
   * Distance from its start at which a pixel ends that follows the flow there and back. Present if the check was
   * requested.
   */
  forwardBackward?: Float32Array;
}

const frames = ['u8', 'u8'] as const;
/** u, v, validity, confidence, forward-backward distance (empty unless requested): the fields of the result. */
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

/** Marks a pixel farther than `limit` from its start as not valid. */
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

/** Unpacks the fields from texels of u, v, confidence and validity. */
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
   * Motion of every pixel by dense pyramidal Lucas-Kanade between two frames of the same size. Returns `u` (right) and
   * `v` (down) in pixels, `valid` and `confidence`, each of width x height, row by row. `onProgress` receives the
   * progress. With `keep: true`, each field stays in the engine as a separate image. Source: Lucas and Kanade 1981,
   * Bouguet 2000. `variant: 'paper'` moves a separate window for each pixel, like Bouguet.
   * @throws {FoveolaError} (rejects) 'invalid-argument' if the frames differ in size or are smaller than 2x2 pixels,
   * and as every call, see {@link Engine}
   */
  opticalFlow: opticalFlowOperation,
});
