/** Dense pyramidal Lucas-Kanade in the WASM backend: the kernels of assembly/flow/dense.ts, level by level. */
import type { Plan, Rows } from '../runtime/wasm/kernel-step.ts';
import type { Plane } from '../runtime/plane.ts';
import type { Scope } from '../runtime/scope.ts';
import { type FieldValues, iterationsOn } from './parameters.ts';
import type { FlowPyramid } from './pyramid.ts';
import { trackPoints } from './track-points.ts';
import { gradient } from '../image/gradient.ts';
import type { RecordOf } from '../runtime/wasm/record.ts';
import { FlowLevelRecord } from '../runtime/wasm/records.ts';
import { refine, refineWork } from './refine.ts';

// Dense flow like in the papers (Bouguet 2000 and paper 001): every pixel has a separate window, which moves as a
// whole. This is sparse flow from every pixel. It takes about 50 times the work of windows that share their sums.

/** Number of points in the arena at a time. */
const POINTS = 16_384;

/**
 * Fills u and v, with 0 where a window was lost. Returns which windows were found. `done` receives the number of
 * pixels.
 */
export function* windowsFlow(
  scope: Scope,
  previous: FlowPyramid,
  next: FlowPyramid,
  u: Plane,
  v: Plane,
  { window, levels, iterations, minEigenvalue }: FieldValues,
  done: (pixels: number) => void,
): Plan<Uint8Array> {
  const { width, height, stride } = u;
  const found = new Uint8Array(width * height);
  for (let first = 0; first < width * height; first += POINTS) {
    const count = Math.min(POINTS, width * height - first);
    const points = Float32Array.from({ length: 2 * count }, (_, i) => {
      const pixel = first + (i >> 1);
      return i & 1 ? Math.floor(pixel / width) : pixel % width;
    });
    const tracked = yield* trackPoints(scope, previous, next, points, { window, levels, iterations, minEigenvalue });
    const { f32 } = scope.arena;
    for (let i = 0; i < count; i++) {
      if (!tracked.status[i]) continue;
      const [x, y] = [points[2 * i]!, points[2 * i + 1]!];
      const at = (y * stride) / 4 + x;
      found[first + i] = 1;
      f32[u.address / 4 + at] = tracked.points[2 * i]! - x;
      f32[v.address / 4 + at] = tracked.points[2 * i + 1]! - y;
    }
    done(count);
  }
  return found;
}

/** Planes of one flow field. They belong to the scope that made the field. */
export interface DenseFlow {
  readonly u: Plane;
  readonly v: Plane;
  readonly valid: Plane;
  readonly confidence: Plane;
}

/** How a field is computed. */
export interface Manner {
  /** Uses a separate window for every pixel. */
  readonly windows?: boolean;
  /** Refines the field at the end with a robust smoothness. */
  readonly refined?: boolean;
}

/** Receives the number of pixels that a kernel has processed. */
export type Done = (pixels: number) => void;

/** OpenCV measures eigenvalues with derivatives in units of 1/1024. */
export const EIGENVALUE_UNIT = 1024;

/** Number of pixels that the kernels of one flow field process, for the progress. */
export function denseWork(pyramid: FlowPyramid, params: FieldValues, { windows, refined }: Manner): number {
  const pixels = pyramid.width * pyramid.height;
  const rest = 3 * pixels + (refined ? refineWork(pyramid) : 0);
  if (windows) return rest + 6 * pixels;
  return pyramid.planes.reduce(
    (sum, { width, height }, n) => sum + (2 * iterationsOn(n, pyramid.levels, params) + 5) * width * height,
    rest,
  );
}

/** Computes the flow from one pyramid to another of the same size. */
export function* denseFlow(
  scope: Scope,
  previous: FlowPyramid,
  next: FlowPyramid,
  params: FieldValues,
  manner: Manner,
  done: Done,
): Plan<DenseFlow> {
  let flow: Components | null = null;
  for (let n = manner.windows ? 0 : previous.levels - 1; n > 0; n--) {
    const finer: Components = yield* expanded(scope, flow, previous.planes[n]!);
    yield* scope.part(function* (inner) {
      const level = yield* levelOf(inner, previous.planes[n]!, next.planes[n]!, finer, params, done);
      yield* iterate(inner, level, iterationsOn(n, previous.levels, params), done);
    });
    flow = finer;
  }
  const { u, v } = yield* expanded(scope, flow, previous.planes[0]!);
  return yield* scope.part(function* (inner) {
    const found = manner.windows ? yield* windowsFlow(inner, previous, next, u, v, params, done) : null;
    const level = yield* levelOf(inner, previous.planes[0]!, next.planes[0]!, { u, v }, params, done);
    if (!found) yield* iterate(inner, level, params.iterations, done);
    for (const plane of level.gradients) inner.free(plane);
    if (manner.refined) yield* refine(inner, previous, next, u, v, done);
    const valid = inner.plane(u.width, u.height, 'u8');
    if (found) valid.put(found, 0);
    yield* judge(inner, level, valid, { everywhere: !!manner.refined, found: !!found && !manner.refined }, done);
    for (const plane of [valid, level.by]) scope.own(inner.release(plane));
    return { u, v, valid, confidence: level.by };
  });
}

interface Components {
  readonly u: Plane;
  readonly v: Plane;
}

/** Data of one level. */
interface Level {
  readonly record: RecordOf<typeof FlowLevelRecord>;
  readonly over: Rows;
  readonly gradients: readonly Plane[];
  readonly bx: Plane;
  readonly by: Plane;
  readonly window: number;
}

/** Expands the flow to the next finer level and frees the coarser one. Without a coarser level, the flow is zero. */
function* expanded(scope: Scope, coarse: Components | null, { width, height }: Plane): Plan<Components> {
  const [u, v] = [scope.plane(width, height, 'f32'), scope.plane(width, height, 'f32')];
  for (const [source, target] of [
    [coarse?.u, u],
    [coarse?.v, v],
  ] as const) {
    if (!source) {
      scope.arena.u8.fill(0, target.address, target.address + target.stride * height);
      continue;
    }
    const sizes = { sourceWidth: source.width, sourceHeight: source.height, width, height };
    yield* scope.kernels.flowExpand({ source, target, ...sizes }, { rows: height, minimumBand: 32 });
    scope.free(source);
  }
  return { u, v };
}

/** Computes derivatives and the inverse of the mean structure tensor over the window, 0 where it is singular. */
function* levelOf(
  scope: Scope,
  from: Plane,
  to: Plane,
  { u, v }: Components,
  { window, minEigenvalue }: FieldValues,
  done: Done,
): Plan<Level> {
  const { width, height } = from;
  const pixels = width * height;
  const over = { rows: height, minimumBand: 32, cost: width };
  const [gx, gy] = yield* gradient.wasm(scope, [from], { derivative: 'scharr' });
  const floats = () => scope.plane(width, height, 'f32');
  const [xx, xy, yy, eigenvalue] = [floats(), floats(), floats(), floats()];
  yield* scope.part(function* (inner) {
    const across = [0, 1, 2].map(() => inner.plane(width, height, 'f32')) as [Plane, Plane, Plane];
    yield* scope.kernels.flowTensorRows(
      {
        ...{ gx, gy, gradientStride: gx.stride, xx: across[0], xy: across[1], yy: across[2] },
        ...{ outStride: xx.stride, width, height, window },
      },
      over,
    );
    done(pixels);
    for (const [i, target] of [xx, xy, yy].entries()) {
      const source = across[i]!;
      yield* scope.kernels.boxColumns({ source, target, width, height, window, scale: 1 / window ** 2 }, over);
      inner.free(source);
      done(pixels);
    }
  });
  const [bx, by] = [floats(), floats()];
  const record = scope.record(FlowLevelRecord, {
    ...{ previous: from.address, next: to.address, frameStride: from.stride },
    ...{ gx: gx.address, gy: gy.address, gradientStride: gx.stride },
    ...{ xx: xx.address, xy: xy.address, yy: yy.address, eigenvalue: eigenvalue.address },
    ...{ u: u.address, v: v.address, bx: bx.address, by: by.address, stride: u.stride, width, height, window },
    ...{ least: minEigenvalue * EIGENVALUE_UNIT, limit: Math.max(width, height) },
  });
  yield* scope.kernels.flowInvert({ level: record }, over);
  done(pixels);
  return { record, over, gradients: [gx, gy, xy, yy], bx, by, window };
}

function* iterate(scope: Scope, { record: level, over, bx }: Level, times: number, done: Done): Plan<void> {
  for (let i = 0; i < times; i++) {
    yield* scope.kernels.flowMismatchRows({ level, residual: false }, over);
    done(bx.width * bx.height);
    yield* scope.kernels.flowSolve({ level }, over);
    done(bx.width * bx.height);
  }
}

/** Writes confidence to `by` and validity to `valid`. With `found`, `valid` already holds which windows were found. */
function* judge(
  scope: Scope,
  { record: level, over, bx, by, window }: Level,
  valid: Plane,
  rule: { readonly everywhere: boolean; readonly found: boolean },
  done: Done,
): Plan<void> {
  const { width, height } = valid;
  yield* scope.kernels.flowMismatchRows({ level, residual: true }, over);
  done(width * height);
  const box = { source: bx, target: by, width, height, window, scale: 1 / window ** 2 };
  yield* scope.kernels.boxColumns(box, over);
  done(width * height);
  yield* scope.kernels.flowConfidence({ level, valid, ...rule }, over);
  done(width * height);
}
