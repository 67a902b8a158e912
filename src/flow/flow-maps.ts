/**
 * The fields of a dense flow as planes: as maps that stay in the engine, and as sources for the lists of the WASM
 * backend.
 */
import { FoveolaError } from '../runtime/error.ts';
import type { GpuBackend } from '../runtime/gpu/gpu-backend.ts';
import type { Plane } from '../runtime/plane.ts';
import type { Scope } from '../runtime/scope.ts';
import { defineStage, type OutputsOf } from '../runtime/stage.ts';
import type { Plan } from '../runtime/wasm/kernel-step.ts';
import { denseFlowGpu, flowMapsGpu, returnDistance } from './dense.gpu.ts';
import { denseFlow, denseWork, type DenseFlow, type Manner } from './dense.ts';
import { denseParameters, type FieldValues } from './parameters.ts';
import { gpuPyramid } from './pyramid.gpu.ts';
import { FlowPyramid } from './pyramid.ts';
import { sameSize } from './track-points.ts';

/** u, v, validity, confidence, and how far from its start a pixel ends: one sample of 0 if that was not requested. */
const maps = ['f32', 'f32', 'u8', 'f32', 'f32'] as const;
type Maps = OutputsOf<typeof maps>;

/** Checks that the GPU has float textures that hold the fields. */
export const flowFits = (gpu: GpuBackend, [{ width, height }]: readonly [Plane, Plane]): boolean =>
  gpu.capabilities.floatTargets && gpu.fits(width, height);

const mannerOf = ({ variant, refine }: { readonly variant: string; readonly refine: boolean }): Manner => ({
  windows: variant === 'paper',
  refined: refine,
});

export const flowMaps = defineStage({
  name: 'flow/maps',
  params: denseParameters,
  inputs: ['u8', 'u8'],
  outputs: maps,
  tolerance: 0.01,
  fits: flowFits,
  gpu: (scope, [from, to], params) => onGpu(scope, from, to, params, mannerOf(params)),
  wasm: (scope, [from, to], params) => mapsOnWasm(scope, from, to, params, mannerOf(params)),
});

/** Throws 'invalid-argument'. */
export function checkFrames(previous: Plane, next: Plane): void {
  sameSize(previous, next);
  const { width, height } = previous;
  if (Math.min(width, height) < 2)
    throw new FoveolaError(
      'invalid-argument',
      `opticalFlow: frames must be 2x2 pixels or larger, not ${width}x${height}.`,
    );
}

export function* mapsOnWasm(
  scope: Scope,
  previous: Plane,
  next: Plane,
  params: FieldValues,
  manner: Manner,
): Plan<Maps> {
  checkFrames(previous, next);
  const from = scope.own(yield* FlowPyramid.build(scope, previous, params));
  const to = scope.own(yield* FlowPyramid.build(scope, next, params));
  const { width, height } = previous;
  const both = params.maxForwardBackward > 0;
  const total = denseWork(from, params, manner) * (both ? 2 : 1);
  let pixels = 0;
  const done = (more: number) => scope.progress(Math.min(1, (pixels += more) / total));
  const there = yield* denseFlow(scope, from, to, params, manner, done);
  const { u, v, valid, confidence } = there;
  if (!both) return [u, v, valid, confidence, noDistance(scope)];
  const back = yield* denseFlow(scope, to, from, params, manner, done);
  const out = scope.plane(width, height, 'f32');
  const flows = { u, v, backU: back.u, backV: back.v, stride: out.stride };
  yield* scope.kernels.flowForwardBackward({ ...flows, out, width, height }, { rows: height, minimumBand: 32 });
  yield* check(scope, there, out, params.maxForwardBackward);
  return [u, v, valid, confidence, out];
}

function noDistance(scope: Scope): Plane {
  const none = scope.plane(1, 1, 'f32');
  scope.f32(none, 1)[0] = 0;
  return none;
}

/** A pixel further than `limit` from its start is not valid. */
function* check(scope: Scope, { valid, confidence }: DenseFlow, far: Plane, limit: number): Plan<void> {
  const { width, height } = valid;
  for (let y = 0; y < height; y++) {
    const { u8, f32 } = scope.arena;
    const at = valid.address + y * valid.stride;
    const sure = (confidence.address + y * confidence.stride) / 4;
    const distance = (far.address + y * far.stride) / 4;
    for (let x = 0; x < width; x++) if (!(f32[distance + x]! <= limit)) u8[at + x] = f32[sure + x] = 0;
    yield* scope.turn();
  }
}

function* onGpu(scope: Scope, previous: Plane, next: Plane, params: FieldValues, manner: Manner): Plan<Maps> {
  checkFrames(previous, next);
  const [from, to] = [gpuPyramid(scope, previous, params), gpuPyramid(scope, next, params)];
  const limit = params.maxForwardBackward;
  const report = (first: number) => (done: number) => scope.progress(limit > 0 ? first + done / 2 : done);
  const there = yield* denseFlowGpu(scope, from, to, params, manner, report(0));
  if (!(limit > 0)) return [...flowMapsGpu(scope, there, null, 0), noDistance(scope)];
  const back = yield* denseFlowGpu(scope, to, from, params, manner, report(0.5));
  const far = returnDistance(scope, there, back);
  return [...flowMapsGpu(scope, there, far, limit), far];
}
