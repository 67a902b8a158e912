/**
 * The state of one eye's search in linear memory (assembly/pupil/search/search.ts) and what is done with it, the same for
 * all methods: they propose, the contest of outlines judges. Laid out once; frames allocate nothing.
 */
import { gaussianTaps } from '../../image/gaussian.ts';
import type { Ellipse } from '../../results/types.ts';
import type { Plan } from '../../runtime/wasm/kernel-step.ts';
import type { Plane } from '../../runtime/plane.ts';
import type { RecordView } from '../../runtime/wasm/record.ts';
import { SearchRecord } from '../../runtime/wasm/records.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { Scope, type Block } from '../../runtime/scope.ts';
import type { PupilValues } from '../parameters.ts';
import type { PreparedFrame } from '../preparation/prepared-frame.ts';
import { robustWeights } from '../robust/weights.ts';
import type { Last } from './method.ts';
import type { Region } from './region.ts';

// Directions of rays and normals, as tables of cos and sin.

/** The arc of the second stage: 50 degrees to either side (paper 000, section 2.3). */
const ARC = (50 * Math.PI) / 180;

/** n directions around the circle, the first one turned by a part of the way to the second. */
export const rayDirections = (n: number, turned = 0): Float32Array =>
  directions(n, (i) => (2 * Math.PI * (i + turned)) / n);

/** The n directions of the second stage, relative to the way back. */
export const arcDirections = (n: number): Float32Array =>
  directions(n, (i) => (n === 1 ? 0 : ARC * ((2 * i) / (n - 1) - 1)));

function directions(n: number, angle: (i: number) => number): Float32Array {
  return Float32Array.from({ length: 2 * n }, (_, k) => (k & 1 ? Math.sin : Math.cos)(angle(k >> 1)));
}

/**
 * The RANSAC table (paper 000, "Pre-calculating random numbers"): `sets` x 5 numbers in [0, 1) drawn once by xorshift32
 * and scaled by the number of points at use. Order: member k of sets 4j..4j+3 are neighbors, for four lanes at a time.
 */
export function ransacTable(sets: number, seed = 2463534242): Float32Array {
  const table = new Float32Array(sets * 5);
  let state = seed | 0;
  for (let set = 0; set < sets; set++)
    for (let k = 0; k < 5; k++) {
      state ^= state << 13;
      state ^= state >>> 17;
      state ^= state << 5;
      table[(set >> 2) * 20 + k * 4 + (set & 3)] = (state >>> 8) / 16777216;
    }
  return table;
}

type SearchView = typeof SearchRecord extends { fields: ReadonlyMap<infer F extends string, unknown> }
  ? RecordView<F>
  : never;
export type SearchField = Parameters<SearchView['get']>[0];

const NORMALS = 64;

/** Short side of the reduced image in which dark regions are looked for. */
const SMALL = 96;
/** Log-odds from which no further outline is tried. */
const ENOUGH = 3;
/** So many log-odds more than its shape gives it an outline of rays, components or votes has at most (`npm run bench -- silence pupil`). */
export const LEAD = 2;
/** Numbers are drawn for so many sets at least: consensus takes 160 times 20 of them (assembly/pupil/search/consensus.ts). */
const LEAST_SETS = 640;
/** Bytes of a start: x, y, longest ray, threshold. */
const START = 16;

/** Where rays start, how far they go, pixels, and from which step on they end, gray levels. */
export interface RayStart {
  readonly x: number;
  readonly y: number;
  readonly reach: number;
  readonly gradient: number;
}

/** What rays and RANSAC found elsewhere: a circle and its border points, x and y in turn. */
export interface FoundCircle {
  readonly x: number;
  readonly y: number;
  readonly r: number;
  readonly votes: number;
  readonly points: Float32Array;
}

export interface SearchOptions {
  /** Border points that a method puts in, if more than the rays'. */
  readonly capacity?: number;
  /** Log-odds from which no further outline is tried. */
  readonly enough?: number;
}

export class PupilSearch {
  /** What the kernels take as `search`. */
  readonly state: SearchView;
  readonly #scope: Scope;
  readonly #values: PupilValues;

  constructor(runtime: Runtime, values: PupilValues, width: number, options: SearchOptions = {}) {
    this.#scope = new Scope(runtime);
    this.#values = values;
    try {
      this.state = this.#scope.record(SearchRecord);
      this.#lay(width, options);
    } catch (error) {
      this.dispose(); // no memory for all of it
      throw error;
    }
  }

  /** Tables and lists, and the fields that stay the same from frame to frame. */
  #lay(width: number, { capacity = 0, enough = ENOUGH }: SearchOptions): void {
    const scope = this.#scope;
    const values = this.#values;
    const { rays, secondaryRays, sets, candidates, variant } = values;
    const points = 4 * (Math.max(capacity, rays * (secondaryRays + 1)) + 8);
    const outline = Math.max(points, 4 * NORMALS);
    const { tiles, all } = scope.runtime.driver.now(roomFor(scope, width));
    const room = scope.block(all).address;
    const address = (block: Block) => block.address;
    this.state.set({
      tileRoom: room,
      work: room + tiles,
      gaussian: address(scope.table(Uint16Array.from(gaussianTaps(values.gaussianSize, values.gaussianSigma)))),
      gaussianSize: values.gaussianSize,
      reflectionSize: values.reflections === 'skip' ? values.reflectionSize : 0,
      reflectionThreshold: values.reflectionThreshold,
      reflectionDilation: values.reflectionDilation,
      directions: address(scope.table(rayDirections(rays))),
      rays,
      arc: address(scope.table(arcDirections(secondaryRays))),
      arcRays: secondaryRays,
      normals: address(scope.table(rayDirections(NORMALS))),
      normalCount: NORMALS,
      table: address(scope.table(ransacTable(Math.max(sets, LEAST_SETS)))),
      sets,
      voteDistance: values.voteDistance,
      epsilon: values.epsilon,
      iterations: values.iterations,
      minGradient: values.minGradient,
      minContrast: values.minContrast,
      paper: variant === 'paper',
      px: address(scope.block(points)),
      py: address(scope.block(points)),
      qx: address(scope.block(outline)),
      qy: address(scope.block(outline)),
      spareX: address(scope.block(outline)),
      spareY: address(scope.block(outline)),
      starts: address(scope.block(START * (candidates + 1))),
      best: scope.record(SearchRecord).address,
      features: address(scope.block(4 * robustWeights.length)),
      weights: address(scope.table(Float32Array.from(robustWeights, ([, weight]) => weight))),
      featureCount: robustWeights.length,
      // The paper looks at everything.
      enough: variant === 'paper' ? Infinity : enough,
    });
  }

  get(name: SearchField): number {
    return this.state.get(name);
  }

  /** Points the search at a frame and the region in which it may look. */
  begin(source: Plane, frame: PreparedFrame, region: Region): void {
    const { width, height } = source;
    const [across, down] = [region.x1 - region.x0, region.y1 - region.y0];
    const reduction = Math.min(64, Math.max(1, Math.floor(Math.min(across, down) / SMALL)));
    const smallWidth = Math.floor(across / reduction);
    const smallHeight = Math.floor(down / reduction);
    this.#reserveSmall(smallWidth * smallHeight, (smallWidth + 1) * (smallHeight + 1));
    const [minRadius, maxRadius] = radiusLimits(this.#values, width, height);
    this.state.set({
      source: source.address,
      stride: source.stride,
      width,
      height,
      ...frame.fields,
      ...region,
      reduction,
      smallWidth,
      smallHeight,
      minRadius,
      maxRadius,
    });
  }

  /** Room for the reduced image and its sums. The region stays while a search lives, so this happens once. */
  #small: { image: Block; sums: Block } | null = null;
  #reserveSmall(pixels: number, sums: number): void {
    const scope = this.#scope;
    if (this.#small && pixels + 64 <= this.#small.image.bytes && 4 * sums <= this.#small.sums.bytes) return;
    if (this.#small) for (const block of Object.values(this.#small)) scope.free(block);
    this.#small = null;
    this.#small = { image: scope.block(pixels + 64), sums: scope.block(4 * sums) };
    this.state.set({ small: this.#small.image.address, integral: this.#small.sums.address });
  }

  /** Rays will start at the last pupil. */
  *startAtLast(last: Last): Plan<void> {
    this.takeLast(last);
    yield* this.#scope.kernels.startsAtLast({ search: this.state });
  }

  /** Rays will start in the darkest compact regions, `most` of them at most. */
  *startInDark(most: number): Plan<void> {
    this.limit(most);
    yield* this.#scope.kernels.startsInDark({ search: this.state });
  }

  /** At most so many dark regions from now on. */
  limit(most: number): void {
    this.state.set({ maxStarts: Math.min(most, this.#values.candidates) });
  }

  /** One ray start, with rays across the whole image. */
  *startAt(x: number, y: number): Plan<void> {
    yield* this.#scope.kernels.startsAt({ search: this.state, x, y });
  }

  /** Where rays will start, the most promising place first. */
  starts(): RayStart[] {
    const list = this.#scope.f32({ address: this.get('starts') }, 4 * this.get('startCount'));
    return Array.from({ length: list.length >> 2 }, (_, i) => {
      const [x, y, reach, gradient] = list.subarray(4 * i, 4 * i + 4) as unknown as [number, number, number, number];
      return { x, y, reach, gradient };
    });
  }

  /** The best outline that rays from these starts lead to. */
  *tryStarts(): Plan<void> {
    yield* this.#scope.kernels.tryStarts({ search: this.state });
  }

  /** What is known of the last pupil. */
  takeLast({ x, y, r, contrast, dark }: Last): void {
    this.state.set({ lastX: x, lastY: y, lastR: r, lastContrast: contrast, dark });
  }

  /** Puts an outline into the state, for a search that starts from it. */
  takeOutline({ x, y, major, minor, angle }: Ellipse): void {
    this.state.set({ ex: x, ey: y, ea: major / 2, eb: minor / 2, eux: Math.cos(angle), euy: Math.sin(angle) });
  }

  /** A circle that was found elsewhere. */
  takeCircle(x: number, y: number, r: number): void {
    this.state.set({ cx: x, cy: y, r });
  }

  /** Measures the first percentile of the region's levels, which the judgment needs. */
  *measureDark(): Plan<void> {
    yield* this.#scope.kernels.pupilDark({ search: this.state });
  }

  /** Outlines are proposed from now on: nothing is found yet. */
  *beginContest(dark?: number): Plan<void> {
    if (dark !== undefined) this.state.set({ dark });
    yield* this.#scope.kernels.contestBegin({ search: this.state });
  }

  /**
   * Proposes the circle in the state with its border points, which lie `outside` of the edge. The result has to say `votes`
   * and `points`. Whether no further one need be tried.
   */
  *proposeCircle(outside: number, votes = this.get('votes'), points = this.get('points')): Plan<boolean> {
    return (yield* this.#scope.kernels.proposeCircle({ search: this.state, outside, votes, points })) === 1;
  }

  /** Proposes what rays and RANSAC found elsewhere. */
  *proposeRays({ x, y, r, votes, points }: FoundCircle): Plan<boolean> {
    const count = points.length >> 1;
    this.state.set({ cx: x, cy: y, r, votes, points: count });
    const xs = this.#scope.f32({ address: this.get('px') }, count);
    const ys = this.#scope.f32({ address: this.get('py') }, count);
    for (let i = 0; i < count; i++) {
      xs[i] = points[2 * i]!;
      ys[i] = points[2 * i + 1]!;
    }
    return (yield* this.#scope.kernels.proposeRays({ search: this.state })) === 1;
  }

  /** The best of the proposed outlines is the result. */
  *endContest(): Plan<void> {
    yield* this.#scope.kernels.contestEnd({ search: this.state });
  }

  /** What the search of a whole region found is looked at again: inside of it, and by its shape, which it leads by so much at most. */
  *lookAgain(lead: number): Plan<void> {
    yield* this.#scope.kernels.lookAgain({ search: this.state, lead });
  }

  /** x, y of the border points. */
  outline(): Float32Array {
    const n = this.get('qn');
    const xs = this.#scope.f32({ address: this.get('qx') }, n);
    const ys = this.#scope.f32({ address: this.get('qy') }, n);
    return Float32Array.from({ length: 2 * n }, (_, k) => (k & 1 ? ys : xs)[k >> 1]!);
  }

  dispose(): void {
    this.#scope.dispose();
  }
}

/** Bytes to work in for images of this width: those of the tiles, and all. */
function* roomFor(scope: Scope, width: number): Plan<{ tiles: number; all: number }> {
  return { tiles: yield* scope.kernels.tileRoom({}), all: yield* scope.kernels.searchRoom({ width }) };
}

/** Smallest and largest radius of a pupil, pixels. */
export const radiusLimits = (values: PupilValues, width: number, height: number): [number, number] => [
  (values.minDiameter / 2) * Math.hypot(width, height),
  (values.maxDiameter / 2) * Math.min(width, height),
];
