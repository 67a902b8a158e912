/** engine.opticalFlow: pyramids, the flow, its way back if asked for, and the result as lists. */
import type { Source } from '../results/types.ts';
import { defineOperations, operationOn } from '../runtime/capability.ts';
import { FoveolaError } from '../runtime/error.ts';
import type { GpuSide, Texture } from '../runtime/gpu/gpu-side.ts';
import type { Plan } from '../runtime/wasm/kernel-step.ts';
import type { Plane } from '../runtime/plane.ts';
import type { Scope } from '../runtime/scope.ts';
import { defineStage, type OutputsOf } from '../runtime/stage.ts';
import { denseFlowGpu, returnDistance } from './dense.gpu.ts';
import { denseFlow, denseWork, type Manner } from './dense.ts';
import { denseParameters, fieldParameters, type FieldValues } from './parameters.ts';
import { gpuPyramid } from './pyramid.gpu.ts';
import { FlowPyramid } from './pyramid.ts';
import { refineInside } from './refine.gpu.ts';
import { sameSize } from './track-points.ts';
import { windowsInside } from './windows.gpu.ts';

export interface OpticalFlowResult {
  width: number;
  height: number;
  /** Where pixel (x, y) of the previous frame is in the next one: (x + u, y + v). Row by row, in pixels. */
  u: Float32Array;
  v: Float32Array;
  /**
   * 1: measured. 0: too little texture for both components (the flow is that of a coarser level, or 0), the pixel left
   * the frame, or it failed the forward-backward check.
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

/** Fields are textures of floats. */
const fits = (gpu: GpuSide, [{ width, height }]: readonly [Plane, Plane]): boolean =>
  gpu.capabilities.floatTargets && gpu.fits(width, height);

export const flowField = defineStage({
  name: 'flow/dense',
  params: fieldParameters,
  inputs: frames,
  outputs: fields,
  tolerance: 0.01,
  fits,
  gpu: (scope, [from, to], params) => onGpu(scope, from, to, params, {}),
  wasm: (scope, [from, to], params) => onWasm(scope, from, to, params, {}),
});

export const flowOfWindows = defineStage({
  name: 'flow/windows',
  params: fieldParameters,
  inputs: frames,
  outputs: fields,
  tolerance: 0.01,
  fits: (gpu, inputs) => windowsInside && fits(gpu, inputs),
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
  fits: (gpu, inputs, { variant }) => refineInside && (windowsInside || variant !== 'paper') && fits(gpu, inputs),
  gpu: (scope, [from, to], { variant, ...params }) =>
    onGpu(scope, from, to, params, { windows: variant === 'paper', refined: true }),
  wasm: (scope, [from, to], { variant, ...params }) =>
    onWasm(scope, from, to, params, { windows: variant === 'paper', refined: true }),
});

const opticalFlowOperation = operationOn<[previous: Source, next: Source]>()({
  params: denseParameters,
  sources: ['gray', 'gray'],
  *plan(scope, [from, to], { variant, refine, ...params }): Plan<OpticalFlowResult> {
    const [u, v, valid, confidence, forwardBackward] = refine
      ? yield* scope.run(refinedFlow, [from, to], { variant, ...params })
      : yield* scope.run(variant === 'paper' ? flowOfWindows : flowField, [from, to], params);
    const result = { width: from.width, height: from.height, u, v, valid, confidence };
    return params.maxForwardBackward > 0 ? { ...result, forwardBackward } : result;
  },
});

/** Throws 'invalid-argument'. */
function checkFrames(previous: Plane, next: Plane): void {
  sameSize(previous, next);
  const { width, height } = previous;
  if (Math.min(width, height) < 2)
    throw new FoveolaError(
      'invalid-argument',
      `opticalFlow needs frames of at least 2x2 pixels, not ${width}x${height}: one row or column has no flow across.`,
    );
}

function* onWasm(scope: Scope, previous: Plane, next: Plane, params: FieldValues, manner: Manner): Plan<Fields> {
  checkFrames(previous, next);
  const from = scope.own(yield* FlowPyramid.build(scope, previous, params));
  const to = scope.own(yield* FlowPyramid.build(scope, next, params));
  const { width, height } = previous;
  const both = params.maxForwardBackward > 0;
  const total = denseWork(from, params, manner) * (both ? 2 : 1);
  let pixels = 0;
  const done = (more: number) => scope.progress(Math.min(1, (pixels += more) / total));
  const there = yield* denseFlow(scope, from, to, params, manner, done);
  const u = (yield* scope.read(there.u)) as Float32Array;
  const v = (yield* scope.read(there.v)) as Float32Array;
  const valid = (yield* scope.read(there.valid)) as Uint8Array;
  const confidence = (yield* scope.read(there.confidence)) as Float32Array;
  if (!both) return [u, v, valid, confidence, new Float32Array(0)];
  scope.free(there.valid);
  scope.free(there.confidence);
  const back = yield* denseFlow(scope, to, from, params, manner, done);
  const out = scope.plane(width, height, 'f32');
  const flows = { u: there.u, v: there.v, backU: back.u, backV: back.v, stride: out.stride };
  yield* scope.kernels.flowForwardBackward({ ...flows, out, width, height }, { rows: height, minimumBand: 32 });
  const far = (yield* scope.read(out)) as Float32Array;
  check(valid, confidence, far, params.maxForwardBackward);
  return [u, v, valid, confidence, far];
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
  const told = (first: number) => (done: number) => scope.progress(both ? first + done / 2 : done);
  const there = yield* denseFlowGpu(scope, from, to, params, manner, told(0));
  if (!both) return yield* unpacked(scope, there, yield* scope.wait(scope.gpu.read(there)));
  const back = yield* denseFlowGpu(scope, to, from, params, manner, told(0.5));
  const distances = returnDistance(scope, there, back);
  const [texels, returns] = yield* scope.wait(Promise.all([scope.gpu.read(there), distances.read()]));
  const [u, v, valid, confidence] = yield* unpacked(scope, there, texels);
  // The shader says 1e30, as it has no infinity.
  const far = (returns as Float32Array).map((d) => (d > 1e29 ? Infinity : d));
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
   * `v` down in pixels, `valid` and `confidence`, each of width x height, row by row. `onProgress` is told how far it is.
   * Source: Lucas and Kanade 1981, Bouguet 2000; `variant: 'paper'` moves a window of its own for each pixel, as Bouguet.
   * @throws {FoveolaError} (rejects) 'invalid-argument' for frames of two sizes or of less than 2x2 pixels, and as every
   * call, see {@link Engine}
   */
  opticalFlow: opticalFlowOperation,
});
