/** engine.opticalFlow: pyramids, the flow, its way back if asked for, and the result as arrays. */
import type { Source } from '../results/types.ts';
import { defineOperations, operationOn, type CallContext } from '../runtime/capability.ts';
import { FoveolaError } from '../runtime/error.ts';
import { bytesPerPixel, type Plane } from '../runtime/plane.ts';
import { sideOf } from '../runtime/side.ts';
import type { WasmSide } from '../runtime/wasm-side.ts';
import { denseFlowGpu, gpuPyramid, returnDistance } from './dense.gpu.ts';
import { denseFlow, denseWork, type DenseFlow } from './dense.ts';
import { denseParameters, type DenseValues } from './parameters.ts';
import { Pieces, Planes } from './pieces.ts';
import { FlowPyramid } from './pyramid.ts';
import { sameSize } from './track-points.ts';

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

const opticalFlowOperation = operationOn<[previous: Source, next: Source]>()({
  params: denseParameters,
  sources: ['gray', 'gray'],
  async run(context, [previous, next], params): Promise<OpticalFlowResult> {
    sameSize(previous!, next!);
    const { width, height } = previous!;
    if (Math.min(width, height) < 2)
      throw new FoveolaError(
        'invalid-argument',
        `opticalFlow needs frames of at least 2x2 pixels, not ${width}x${height}: one row or column has no flow across.`,
      );
    // No passes: relaxation goes over the field again and again in place; windows of their own share nothing.
    const gpu =
      !params.refine && params.variant === 'default' && sideOf(context.runtime, sides, [previous!, next!]) === 'gpu';
    const onSide = gpu ? onGpu : onWasm;
    return onSide(context, previous!, next!, params);
  },
});

/** What tells sideOf that the passes draw floats. */
const sides = { gpu: denseFlowGpu, inputs: ['u8', 'u8'], outputs: ['f32'] } as const;

async function onWasm(
  { runtime, slice, progress }: CallContext,
  previous: Plane,
  next: Plane,
  params: DenseValues,
): Promise<OpticalFlowResult> {
  await previous.arena();
  await next.arena();
  const side = runtime.wasm;
  const pyramids: FlowPyramid[] = [];
  const planes = new Planes(side);
  try {
    for (const frame of [previous, next]) {
      pyramids.push(FlowPyramid.build(side, frame, params));
      await slice();
    }
    const [from, to] = pyramids as [FlowPyramid, FlowPyramid];
    const both = params.maxForwardBackward > 0;
    const pieces = new Pieces(side, { slice, progress }, denseWork(from, params) * (both ? 2 : 1));
    const own = (flow: DenseFlow) => {
      for (const plane of Object.values(flow) as Plane[]) planes.own(plane);
      return flow;
    };
    const there = own(await denseFlow(pieces, from, to, params));
    const result = await resultOf(side, there, slice);
    if (both) {
      const back = own(await denseFlow(pieces, to, from, params));
      result.forwardBackward = await distances(pieces, planes, there, back, slice);
      check(result, params.maxForwardBackward);
    }
    return result;
  } finally {
    planes.end();
    for (const pyramid of pyramids) pyramid.dispose();
  }
}

async function resultOf(
  side: WasmSide,
  { u, v, valid, confidence }: DenseFlow,
  slice: () => Promise<void>,
): Promise<OpticalFlowResult> {
  const floats = async (plane: Plane) => new Float32Array(await copied(side, plane, slice));
  return {
    width: u.width,
    height: u.height,
    u: await floats(u),
    v: await floats(v),
    valid: new Uint8Array(await copied(side, valid, slice)),
    confidence: await floats(confidence),
  };
}

/** A plane's samples, some rows at a time: fresh memory for a large frame takes its time. */
async function copied({ arena }: WasmSide, plane: Plane, slice: () => Promise<void>): Promise<ArrayBuffer> {
  const { width, height, stride, address, format } = plane;
  const row = width * bytesPerPixel[format];
  const out = new Uint8Array(row * height);
  for (let y = 0; y < height;) {
    const memory = arena.u8;
    const last = Math.min(height, y + Math.ceil((4 << 20) / row));
    for (; y < last; y++) {
      const from = address + y * stride;
      out.set(memory.subarray(from, from + row), y * row);
    }
    await slice();
  }
  return out.buffer;
}

async function distances(
  pieces: Pieces,
  planes: Planes,
  there: DenseFlow,
  back: DenseFlow,
  slice: () => Promise<void>,
): Promise<Float32Array> {
  const { width, height, stride } = there.u;
  const out = planes.make(width, height, 'f32');
  const flows = [there.u, there.v, back.u, back.v].map(({ address }) => address);
  await pieces.rows('flowForwardBackward', width, height, [...flows, stride, out.address, width, height]);
  return new Float32Array(await copied(pieces.side, out, slice));
}

/** A pixel further than `limit` from its start is not valid. */
export function check({ valid, confidence, forwardBackward }: OpticalFlowResult, limit: number): void {
  for (let i = 0; i < valid.length; i++)
    if (!(forwardBackward![i]! <= limit)) {
      valid[i] = 0;
      confidence[i] = 0;
    }
}

async function onGpu(
  { runtime, slice, progress }: CallContext,
  previous: Plane,
  next: Plane,
  params: DenseValues,
): Promise<OpticalFlowResult> {
  const side = runtime.gpu!;
  side.usable();
  const owned: { dispose(): void }[] = [];
  const own = <T extends { dispose(): void }>(thing: T): T => {
    owned.push(thing);
    return thing;
  };
  try {
    const [from, to] = [previous, next].map((frame) => gpuPyramid(side, frame, params, own)) as [Plane[], Plane[]];
    const both = params.maxForwardBackward > 0;
    const compute = async (a: Plane[], b: Plane[], first: number) => {
      const pace = { slice, progress: (done: number) => progress(both ? first + done / 2 : done) };
      const texture = await denseFlowGpu(side, a, b, params, pace);
      own({ dispose: () => side.release(texture) });
      return texture;
    };
    const there = await compute(from, to, 0);
    if (!both) return await unpacked(there, await side.read(there), slice);
    const back = await compute(to, from, 0.5);
    const far = own(returnDistance(side, there, back));
    const [texels, distances] = await Promise.all([side.read(there), far.read()]);
    const result = await unpacked(there, texels, slice);
    // The shader says 1e30, as it has no infinity.
    result.forwardBackward = (distances as Float32Array).map((d) => (d > 1e29 ? Infinity : d));
    check(result, params.maxForwardBackward);
    return result;
  } finally {
    for (const thing of owned) thing.dispose();
  }
}

/** Texels of u, v, confidence and validity. */
async function unpacked(
  { width, height }: { width: number; height: number },
  bytes: Uint8Array,
  slice: () => Promise<void>,
): Promise<OpticalFlowResult> {
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
    await slice();
  }
  return { width, height, u, v, valid, confidence };
}

export const flowOperations = defineOperations({
  /**
   * The motion of every pixel by dense pyramidal Lucas-Kanade between two frames of the same size: `u` to the right and
   * `v` down in pixels, `valid` and `confidence`, each of width x height, row by row. `onProgress` is told how far it is.
   * Source: paper 001; `variant: 'paper'` moves a window of its own for each pixel (Bouguet 2000).
   * @throws {FoveolaError} (rejects) 'invalid-argument' for frames of two sizes or of less than 2x2 pixels, and as every
   * call, see {@link Engine}
   */
  opticalFlow: opticalFlowOperation,
});
