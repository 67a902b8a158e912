/**
 * Refinement of a dense flow by a robust, edge-aware smoothness (assembly/flow/refine.ts). It starts at the second
 * finest level and runs rounds of linearization, relaxation and median on each level. The constants were chosen on the
 * four Middlebury pairs that `npm run bench -- accuracy flow` prints.
 */
import type { Image, Plan } from '../runtime/wasm/kernel-step.ts';
import type { Plane } from '../runtime/plane.ts';
import type { RecordOf } from '../runtime/wasm/record.ts';
import { RefinedLevelRecord } from '../runtime/wasm/records.ts';
import type { Scope } from '../runtime/scope.ts';
import type { FlowPyramid } from './pyramid.ts';

/** These values were found empirically. They are exported for the reference in test/. */
export const refineConstants = {
  rounds: 5,
  sweeps: 10,
  /** Over-relaxation. */
  omega: 1.8,
  /** Weight of the smoothness. */
  smoothness: 1,
  /** Differences above this, in gray values, count linearly instead of squared. */
  robust: 1,
  /** Steps of the flow above this, in pixels, count linearly. */
  flat: 0.01,
  /** A step of this many gray values halves the smoothness across it. */
  edge: 20,
} as const;

/** Padding columns left and right of a row. */
const ROOM = 4;
export const REFINED_LEVELS = 2;

/** Number of pixels that the refinement processes, for the progress. */
export const refineWork = ({ width, height }: FlowPyramid): number =>
  1.25 * width * height * refineConstants.rounds * (2 * refineConstants.sweeps + 5);

/** Refines u and v in place. */
export function* refine(
  scope: Scope,
  previous: FlowPyramid,
  next: FlowPyramid,
  u: Plane,
  v: Plane,
  done: (pixels: number) => void,
): Plan<void> {
  let flow: Level | null = null;
  for (let n = Math.min(REFINED_LEVELS, previous.levels) - 1; n >= 0; n--) {
    const from = previous.planes[n]!;
    const finer: Level = yield* Level.make(scope, from, next.planes[n]!);
    for (const [name, given] of [
      ['u', u],
      ['v', v],
    ] as const)
      yield* start(scope, given, finer, name, n, flow);
    flow?.free(scope);
    flow = finer;
    for (let round = 0; round < refineConstants.rounds; round++) yield* oneRound(scope, flow, done);
  }
  yield* copy(scope, flow!.image('u'), u, u);
  yield* copy(scope, flow!.image('v'), v, v);
  flow!.free(scope);
}

/** With a window of one row, boxColumns copies. */
const copy = (scope: Scope, source: Image, target: Image, { width, height }: { width: number; height: number }) =>
  scope.kernels.boxColumns({ source, target, width, height, window: 1, scale: 1 }, { rows: height, minimumBand: 32 });

const names = ['u', 'v', 'u2', 'v2', 'mean', 'bx', 'by', 'wx', 'wy', 'cu', 'cv', 'cuv'] as const;
type Name = (typeof names)[number];

/** The planes of one level, with padding left and right of their rows. */
class Level {
  readonly width: number;
  readonly height: number;
  readonly record: RecordOf<typeof RefinedLevelRecord>;
  readonly #planes: Record<Name, Plane>;

  private constructor(scope: Scope, from: Plane, to: Plane, planes: Record<Name, Plane>) {
    this.width = from.width;
    this.height = from.height;
    this.#planes = planes;
    const { u2: _, v2: __, ...used } = planes;
    const addresses = Object.fromEntries(Object.keys(used).map((name) => [name, this.#at(name as Name)]));
    const { smoothness, flat, edge, robust, omega } = refineConstants;
    this.record = scope.record(RefinedLevelRecord, {
      ...addresses,
      ...{ previous: from.address, next: to.address, frameStride: from.stride, stride: planes.u.stride },
      ...{ width: from.width, height: from.height, smoothness, flat, edge, robust, omega },
    });
  }

  /**
   * Makes all planes and fills them with zeros, one after the other, because a plane of a large frame needs some
   * milliseconds.
   */
  static *make(scope: Scope, from: Plane, to: Plane): Plan<Level> {
    const made: Partial<Record<Name, Plane>> = {};
    for (const name of names) {
      const plane = (made[name] = scope.plane(from.width + 2 * ROOM, from.height, 'f32'));
      scope.arena.u8.fill(0, plane.address, plane.address + plane.stride * plane.height);
      yield* scope.turn();
    }
    return new Level(scope, from, to, made as Record<Name, Plane>);
  }

  /** Address of the first sample. */
  #at(name: Name): number {
    return this.#planes[name].address + 4 * ROOM;
  }

  image(name: Name): Image {
    return { address: this.#at(name), stride: this.#planes[name].stride };
  }

  /** Swaps the planes, so that the output of the median becomes the flow. */
  turn(): void {
    const p = this.#planes;
    [p.u, p.u2, p.v, p.v2] = [p.u2, p.u, p.v2, p.v];
    this.record.set({ u: this.#at('u'), v: this.#at('v') });
  }

  free(scope: Scope): void {
    for (const plane of Object.values(this.#planes)) scope.free(plane);
  }
}

/** Starts a level from the coarser refined level if it exists. Otherwise it starts from the given flow. */
function* start(scope: Scope, source: Plane, to: Level, name: 'u' | 'v', n: number, coarse: Level | null): Plan<void> {
  const { width, height } = to;
  const target = to.image(name);
  const over = { rows: height, minimumBand: 32 };
  if (coarse) {
    const sizes = { sourceWidth: coarse.width, sourceHeight: coarse.height, width, height };
    yield* scope.kernels.flowExpand({ source: coarse.image(name), target, ...sizes }, over);
  } else if (n === 0) yield* copy(scope, source, target, to);
  else yield* scope.kernels.flowHalve({ source, target, width, height }, over);
}

function* oneRound(scope: Scope, to: Level, done: (pixels: number) => void): Plan<void> {
  const { width, height, record: level } = to;
  const pixels = width * height;
  const over = { rows: height, minimumBand: 32, cost: width };
  yield* scope.kernels.flowRefineWarp({ level }, over);
  done(pixels);
  yield* scope.kernels.flowRefineWeights({ level }, over);
  done(pixels);
  yield* scope.kernels.flowRefineSystem({ level }, over);
  done(pixels);
  for (let i = 0; i < 2 * refineConstants.sweeps; i++) {
    yield* scope.kernels.flowRefineSweep({ level, color: i & 1 }, over);
    done(pixels);
  }
  for (const [from, out] of [
    ['u', 'u2'],
    ['v', 'v2'],
  ] as const) {
    yield* scope.kernels.flowMedian({ source: to.image(from), target: to.image(out), width, height }, over);
    done(pixels);
  }
  to.turn();
}
