/**
 * The state of one eye's search in linear memory (assembly/pupil/search/search.ts) and its operations, common to all
 * methods. Methods propose outlines, and the contest of outlines scores them. Memory is allocated once. Frames allocate
 * nothing.
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

/** Arc of the second stage: 50 degrees to the left and right (paper 000, section 2.3). */
const ARC = (50 * Math.PI) / 180;

/** n directions around the circle. The first one is rotated by `turned` of the step to the second. */
export const rayDirections = (n: number, turned = 0): Float32Array =>
  directions(n, (i) => (2 * Math.PI * (i + turned)) / n);

/** The n directions of the second stage, relative to the direction back to the start. */
export const arcDirections = (n: number): Float32Array =>
  directions(n, (i) => (n === 1 ? 0 : ARC * ((2 * i) / (n - 1) - 1)));

function directions(n: number, angle: (i: number) => number): Float32Array {
  return Float32Array.from({ length: 2 * n }, (_, k) => (k & 1 ? Math.sin : Math.cos)(angle(k >> 1)));
}

/**
 * The RANSAC table (paper 000, "Pre-calculating random numbers"): `sets` x 5 numbers in [0, 1), drawn once by
 * xorshift32 and scaled by the number of points in use. Member k of sets 4j..4j+3 are neighbors, for four lanes at a
 * time.
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

/** Short side of the reduced image for the search of dark regions. */
const SMALL = 96;
/** Log-odds that end the search for more outlines. */
const ENOUGH = 3;
/** Maximum log-odds by which an outline of rays, components or votes may exceed the log-odds of its shape. */
export const LEAD = 2;
/**
 * Minimum number of sets to draw numbers for. Consensus uses 160 times 20 of them (assembly/pupil/search/consensus.ts).
 */
const LEAST_SETS = 640;
/** Bytes of a start: x, y, longest ray, threshold. */
const START = 16;

/** Start of rays, their maximum length in pixels, and the step that ends them in gray values. */
export interface RayStart {
  readonly x: number;
  readonly y: number;
  readonly reach: number;
  readonly gradient: number;
}

/** Result of rays and RANSAC on the GPU: a circle and its border points, x and y alternating. */
export interface FoundCircle {
  readonly x: number;
  readonly y: number;
  readonly r: number;
  readonly votes: number;
  readonly points: Float32Array;
}

export interface SearchOptions {
  /** Maximum number of border points that a method adds, if larger than the number from rays. */
  readonly capacity?: number;
  /** Log-odds that end the search for more outlines. */
  readonly enough?: number;
}

export class PupilSearch {
  /** Record that the kernels use as `search`. */
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
      this.dispose(); // out of memory
      throw error;
    }
  }

  /** Allocates tables and lists, and sets the fields that are constant between frames. */
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
      // The paper's variant checks everything.
      enough: variant === 'paper' ? Infinity : enough,
    });
  }

  get(name: SearchField): number {
    return this.state.get(name);
  }

  /** Sets the frame and the search region. */
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

  /**
   * Memory for the reduced image and its sums. The region is constant while a search exists, so this is allocated once.
   */
  #small: { image: Block; sums: Block } | null = null;
  #reserveSmall(pixels: number, sums: number): void {
    const scope = this.#scope;
    if (this.#small && pixels + 64 <= this.#small.image.bytes && 4 * sums <= this.#small.sums.bytes) return;
    if (this.#small) for (const block of Object.values(this.#small)) scope.free(block);
    this.#small = null;
    this.#small = { image: scope.block(pixels + 64), sums: scope.block(4 * sums) };
    this.state.set({ small: this.#small.image.address, integral: this.#small.sums.address });
  }

  /** Starts rays at the last pupil. */
  *startAtLast(last: Last): Plan<void> {
    this.takeLast(last);
    yield* this.#scope.kernels.startsAtLast({ search: this.state });
  }

  /** Starts rays in the darkest compact regions, at most `most` of them. */
  *startInDark(most: number): Plan<void> {
    this.limit(most);
    yield* this.#scope.kernels.startsInDark({ search: this.state });
  }

  /** Sets the maximum number of dark regions. */
  limit(most: number): void {
    this.state.set({ maxStarts: Math.min(most, this.#values.candidates) });
  }

  /** Sets one ray start, with rays across the whole image. */
  *startAt(x: number, y: number): Plan<void> {
    yield* this.#scope.kernels.startsAt({ search: this.state, x, y });
  }

  /** Returns the starts of rays, the most promising one first. */
  starts(): RayStart[] {
    const list = this.#scope.f32({ address: this.get('starts') }, 4 * this.get('startCount'));
    return Array.from({ length: list.length >> 2 }, (_, i) => {
      const [x, y, reach, gradient] = list.subarray(4 * i, 4 * i + 4) as unknown as [number, number, number, number];
      return { x, y, reach, gradient };
    });
  }

  /** Finds the best outline that rays from these starts lead to. */
  *tryStarts(): Plan<void> {
    yield* this.#scope.kernels.tryStarts({ search: this.state });
  }

  /** Sets the values of the last pupil. */
  takeLast({ x, y, r, contrast, dark }: Last): void {
    this.state.set({ lastX: x, lastY: y, lastR: r, lastContrast: contrast, dark });
  }

  /** Writes an outline to the state, for a search that starts from it. */
  takeOutline({ x, y, major, minor, angle }: Ellipse): void {
    this.state.set({ ex: x, ey: y, ea: major / 2, eb: minor / 2, eux: Math.cos(angle), euy: Math.sin(angle) });
  }

  /** Writes a circle that was found by another method to the state. */
  takeCircle(x: number, y: number, r: number): void {
    this.state.set({ cx: x, cy: y, r });
  }

  /** Measures the first percentile of the region's gray values, which the score needs. */
  *measureDark(): Plan<void> {
    yield* this.#scope.kernels.pupilDark({ search: this.state });
  }

  /** Starts a contest of proposed outlines. Nothing is found yet. */
  *beginContest(dark?: number): Plan<void> {
    if (dark !== undefined) this.state.set({ dark });
    yield* this.#scope.kernels.contestBegin({ search: this.state });
  }

  /**
   * Proposes the circle in the state with its border points, which are `outside` of the edge. The result reports
   * `votes` and `points`. Returns whether no other outline needs to be tried.
   */
  *proposeCircle(outside: number, votes = this.get('votes'), points = this.get('points')): Plan<boolean> {
    return (yield* this.#scope.kernels.proposeCircle({ search: this.state, outside, votes, points })) === 1;
  }

  /** Proposes the result of rays and RANSAC on the GPU. */
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

  /** Ends the contest. The best proposed outline is the result. */
  *endContest(): Plan<void> {
    yield* this.#scope.kernels.contestEnd({ search: this.state });
  }

  /**
   * Checks the result of a whole-region search again: inside of it, and by its shape. It may exceed its shape by at
   * most `lead`.
   */
  *lookAgain(lead: number): Plan<void> {
    yield* this.#scope.kernels.lookAgain({ search: this.state, lead });
  }

  /** Returns x, y of the border points. */
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

/** Returns the working memory in bytes for images of this width: for the tiles, and in total. */
function* roomFor(scope: Scope, width: number): Plan<{ tiles: number; all: number }> {
  return { tiles: yield* scope.kernels.tileRoom({}), all: yield* scope.kernels.searchRoom({ width }) };
}

/** Minimum and maximum radius of a pupil in pixels. */
export const radiusLimits = (values: PupilValues, width: number, height: number): [number, number] => [
  (values.minDiameter / 2) * Math.hypot(width, height),
  (values.maxDiameter / 2) * Math.min(width, height),
];
