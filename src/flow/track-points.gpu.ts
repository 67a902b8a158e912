/**
 * The GPU side of the sparse flow: the rules and the fixed point of assembly/flow/track-points.ts, in whole numbers. A
 * point is a texel of rgba32ui, x and y as the bits of floats, so that no float target is needed. A level is two passes:
 * the windows of the first frame, one texel a sample, and the search, one fragment a point, which does all iterations of
 * the level and ends when its steps are short, as the WASM side does. The 2x2 system is solved with the roundings of 64-bit
 * floats (glsl/flow/track-points-exact.glsl), so that both sides give equal bits; only comparisons with a limit
 * (epsilon, least eigenvalue) are made in 32-bit floats, and may go the other way within a rounding of it.
 *
 * For N points, a window of w, L levels and k iterations a level (k <= 30, mostly 3 to 6):
 *   passes      2 L for each 1024 points (8 by default); with the way back 4 L + 1 (17); 2 a halving and frame (12)
 *   fetches     a point and level: 17 w^2 for the window, w^2 for its tensor, k (3 w^2 + 2 w) for the steps;
 *               with w = 21 and k = 5: 14,800. On the finest level 1,400 more for the error
 *   bytes up    32 N, and the frames where they are not there; bytes down 16 N, 32 N with the way back, in one read-back
 *   bytes kept  until the end of the call: 8 w^2 a point (of 1024 at most) for the windows, at most 128 N for the points
 */
import fragment from '../../glsl/flow/track-points.frag';
import joinFragment from '../../glsl/flow/track-points-join.frag';
import windowFragment from '../../glsl/flow/track-points-window.frag';
import type { GpuSide, Texture } from '../runtime/gpu/gpu-side.ts';
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

/** Points in a row: windows of the largest kind then make a texture of 2016 texels. */
const COLUMNS = 32;
/** Rows whose windows are there at a time. */
const ROWS = 32;
/** Nowhere: out of reach of every frame. */
const NOWHERE = -1e30;

const rowsOf = (count: number) => Math.ceil(count / COLUMNS);

/** Whether a texture holds so many points. */
export const pointsFit = (gpu: GpuSide, count: number): boolean => gpu.fits(COLUMNS, 2 * rowsOf(count));

const finite = (list: Float32Array, i: number) => Number.isFinite(list[2 * i]) && Number.isFinite(list[2 * i + 1]);

/** Points as texels; what is nowhere, or is to be looked for there, is out of reach. */
function upload(scope: Scope, columns: number, list: Float32Array, other: Float32Array): Points {
  const rows = rowsOf(list.length / 2);
  const texels = new Float32Array(4 * columns * rows).fill(NOWHERE);
  for (let i = 0; 2 * i < list.length; i++)
    if (finite(list, i) && finite(other, i)) texels.set(list.subarray(2 * i, 2 * i + 2), 4 * i);
  const texture = scope.texture(columns, rows, 'rgba32ui');
  scope.gpu.upload(texture, new Uint8Array(texels.buffer), 16 * columns);
  return texture;
}

/** All levels; the texture is the scope's. */
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

/** Points there and, where they are to go it, on their way back: texels of a row of `columns` points after the other. */
export interface PointTextures {
  readonly columns: number;
  readonly from: Points;
  readonly there: Points;
  readonly back: Points | null;
}

/** Enqueues the passes for one point or more; the textures are the scope's. */
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

/** Fills `result`, which has the right lengths, from texels: of the way there and, from `back` on, of the way back. */
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
  // |J - I| has 5 bits after the point.
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

/** Enqueues the passes and fills `result`, which has the right lengths, by one read-back. */
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
