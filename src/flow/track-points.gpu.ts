/**
 * The GPU backend of the sparse flow: the rules and the fixed point of assembly/flow/track-points.ts, in integers. A
 * point is a texel of rgba32ui with x and y as the bits of floats, so no float target is needed. A level has two
 * passes. The first one draws the windows of the first frame, one texel per sample. The second one searches, one
 * fragment per point. It runs all iterations of the level and ends when its steps are short, like the WASM backend. The
 * 2x2 system is solved with the rounding of 64-bit floats (glsl/flow/track-points-exact.glsl), so both backends return
 * equal bits. Only comparisons with a limit (epsilon, minimum eigenvalue) use 32-bit floats, and may differ within a
 * rounding error of the limit.
 *
 * Cost for N points, a window of w, L levels and k iterations per level (k <= 30, mostly 3 to 6):
 *   passes      2 L for each 1024 points (8 by default), with the way back 4 L + 1 (17), 2 per pyramid level and frame (12)
 *   fetches     per point and level: 17 w^2 for the window, w^2 for its tensor, k (3 w^2 + 2 w) for the steps.
 *               With w = 21 and k = 5: 14,800. On the finest level 1,400 more for the error
 *   bytes up    32 N, and the frames if they are not on the GPU yet
 *   bytes down  16 N, 32 N with the way back, in one read-back
 *   bytes kept  until the call ends: 8 w^2 per point (1024 at most) for windows, at most 128 N for the points
 */
import fragment from '../../glsl/flow/track-points.frag';
import joinFragment from '../../glsl/flow/track-points-join.frag';
import windowFragment from '../../glsl/flow/track-points-window.frag';
import type { GpuBackend, Texture } from '../runtime/gpu/gpu-backend.ts';
import { definePass } from '../runtime/gpu/pass.ts';
import type { Values } from '../runtime/parameters.ts';
import type { Plane } from '../runtime/plane.ts';
import type { Scope } from '../runtime/scope.ts';
import type { Plan } from '../runtime/wasm/kernel-step.ts';
import type { sparseParameters } from './parameters.ts';
import { GpuFlowPyramid } from './pyramid.gpu.ts';
import { check, emptyResult, listsOf, sameSize, type TrackedPoints } from './tracked-points.ts';

type SparseValues = Values<typeof sparseParameters>;
type Points = Texture<'rgba32ui'>;

const windowPass = definePass({
  name: 'flow/track-points window',
  fragment: windowFragment,
  textures: ['frame', 'points'],
  uniforms: { window: 'int', firstRow: 'int', scale: 'float' },
  outputs: ['sampled'],
});
const searchPass = definePass({
  name: 'flow/track-points',
  fragment,
  textures: ['next', 'windows', 'points', 'state'],
  uniforms: {
    ...({ window: 'int', firstRow: 'int', scale: 'float', grow: 'float', begins: 'int', finest: 'int' } as const),
    ...({ iterations: 'int', epsilon: 'float', least: 'float' } as const),
  },
  outputs: ['point'],
});
const joinPass = definePass({
  name: 'flow/track-points join',
  fragment: joinFragment,
  textures: ['there', 'back'],
  uniforms: {},
  outputs: ['point'],
});

/** Number of points in a row. Windows of the maximum size then make a texture 2016 texels wide. */
const COLUMNS = 32;
/** Number of rows whose windows exist at a time. */
const ROWS = 32;
/** Coordinate outside every frame. */
const NOWHERE = -1e30;

const rowsOf = (count: number) => Math.ceil(count / COLUMNS);

/** Whether a texture can hold this number of points. */
export const pointsFit = (gpu: GpuBackend, count: number): boolean => gpu.fits(COLUMNS, 2 * rowsOf(count));

const finite = (list: Float32Array, i: number) => Number.isFinite(list[2 * i]) && Number.isFinite(list[2 * i + 1]);

/** Uploads points as texels. A point whose position or start is not finite is placed outside every frame. */
function upload(scope: Scope, columns: number, list: Float32Array, other: Float32Array): Points {
  const rows = rowsOf(list.length / 2);
  const texels = new Float32Array(4 * columns * rows).fill(NOWHERE);
  for (let i = 0; 2 * i < list.length; i++)
    if (finite(list, i) && finite(other, i)) texels.set(list.subarray(2 * i, 2 * i + 2), 4 * i);
  const texture = scope.texture(columns, rows, 'rgba32ui');
  scope.gpu.upload(texture, new Uint8Array(texels.buffer), 16 * columns);
  return texture;
}

/** Searches all levels. The texture belongs to the scope. */
function* search(
  scope: Scope,
  previous: GpuFlowPyramid,
  next: GpuFlowPyramid,
  points: Points,
  start: Points,
  { window, iterations, epsilon, minEigenvalue, ...params }: SparseValues,
): Plan<Points> {
  const { width: columns, height: rows } = points;
  const levels = Math.min(previous.levels, next.levels, params.levels + 1);
  const some = Math.min(rows, ROWS);
  const windows = scope.texture(columns * window, some * window, 'rgba16i');
  let state = start;
  for (let level = levels - 1; level >= 0; level--) {
    const scale = 2 ** -level;
    const found = scope.texture(columns, rows, 'rgba32ui');
    const begins = level === levels - 1;
    for (let firstRow = 0; firstRow < rows; firstRow += some) {
      const height = Math.min(some, rows - firstRow);
      scope.draw(windowPass, {
        targets: [windows],
        textures: { frame: previous.planes[level]!, points },
        uniforms: { window, firstRow, scale },
        region: { x: 0, y: 0, width: windows.width, height: height * window },
      });
      scope.draw(searchPass, {
        targets: [found],
        textures: { next: next.planes[level]!, windows, points, state },
        uniforms: {
          ...{ window, firstRow, scale, iterations, epsilon, least: minEigenvalue },
          ...{ grow: begins ? scale : 2, begins: begins ? 1 : 0, finest: level === 0 ? 1 : 0 },
        },
        region: { x: 0, y: firstRow, width: columns, height },
      });
      yield* scope.turn();
    }
    if (state !== start) scope.free(state);
    state = found;
  }
  scope.free(windows);
  return state;
}

/** Points there and, if requested, on their way back: rows of `columns` points as texels. */
export interface PointTextures {
  readonly columns: number;
  readonly from: Points;
  readonly there: Points;
  readonly back: Points | null;
}

/** Enqueues the passes for at least one point. The textures belong to the scope. */
export function* searchPoints(
  scope: Scope,
  previous: GpuFlowPyramid,
  next: GpuFlowPyramid,
  points: Float32Array,
  initial: Float32Array | undefined,
  params: SparseValues,
): Plan<PointTextures> {
  const begin = initial ?? points;
  const columns = Math.min(COLUMNS, points.length >> 1);
  const from = upload(scope, columns, points, begin);
  const start = initial ? upload(scope, columns, begin, points) : from;
  const there = yield* search(scope, previous, next, from, start, params);
  const back = params.forwardBackward ? yield* search(scope, next, previous, there, there, params) : null;
  return { columns, from, there, back };
}

/**
 * Fills `result`, which has the right lengths, from texels of the way there and, starting at `back`, of the way back.
 */
export function readPoints(
  words: Uint32Array,
  back: number,
  points: Float32Array,
  initial: Float32Array | undefined,
  { window }: SparseValues,
  result: TrackedPoints,
): void {
  const begin = initial ?? points;
  const floats = new Float32Array(words.buffer, words.byteOffset, words.length);
  //  - I| has 5 fractional bits.
  const unit = 32 * window ** 2;
  for (let i = 0; 2 * i < points.length; i++) {
    const [there, home] = [4 * i, 4 * (back + i)];
    const known = finite(points, i) && finite(begin, i);
    const found = known && words[there + 2] === 1;
    const [x, y] = known ? floats.subarray(there, there + 2) : begin.subarray(2 * i, 2 * i + 2);
    result.points.set([x!, y!], 2 * i);
    result.status[i] = found ? 1 : 0;
    result.error[i] = found ? Math.fround(words[there + 3]!) / unit : NaN;
    if (result.forwardBackward && found && words[home + 2] === 1)
      result.forwardBackward[i] = Math.hypot(floats[home]! - points[2 * i]!, floats[home + 1]! - points[2 * i + 1]!);
  }
}

/** Enqueues the passes and fills `result`, which has the right lengths, with one read-back. */
export function* trackPointsGpu(
  scope: Scope,
  previous: GpuFlowPyramid,
  next: GpuFlowPyramid,
  points: Float32Array,
  initial: Float32Array | undefined,
  params: SparseValues,
  result: TrackedPoints,
): Plan<void> {
  const words = yield* scope.part(function* (inner) {
    const { columns, there, back } = yield* searchPoints(inner, previous, next, points, initial, params);
    let all = there;
    if (back) {
      all = inner.texture(columns, 2 * there.height, 'rgba32ui');
      inner.draw(joinPass, { targets: [all], textures: { there, back }, uniforms: {} });
    }
    const bytes = yield* inner.wait(inner.gpu.read(all));
    return new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength >> 2);
  });
  readPoints(words, words.length >> 3, points, initial, params, result);
}

/** The stage on the GPU. */
export function* pointTracksGpu(
  scope: Scope,
  from: Plane,
  to: Plane,
  points: Float32Array,
  initial: Float32Array,
  params: SparseValues,
): Plan<ReturnType<typeof listsOf>> {
  sameSize(from, to);
  check('points', points);
  if (initial.length) check('initial', initial, points.length);
  const result = emptyResult(points.length >> 1, params);
  if (points.length) {
    const previous = scope.own(new GpuFlowPyramid(scope, from, params));
    const next = scope.own(new GpuFlowPyramid(scope, to, params));
    yield* trackPointsGpu(scope, previous, next, points, initial.length ? initial : undefined, params, result);
  }
  return listsOf(result);
}
