/**
 * The WASM side of Starburst: memory of a search, tries and results. One search per eye; they share the preprocessed
 * tiles of the frame.
 */
import { gaussianTaps } from '../../image/gaussian-kernel.ts';
import type { Ellipse } from '../../results/types.ts';
import type { Plane } from '../../runtime/plane.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import type { KernelCall } from './method.ts';
import { allocateAll } from './memory.ts';
import type { PupilValues } from '../parameters.ts';
import type { PreparedFrame } from '../preparation/prepared-frame.ts';
import { ransacTable } from './ransac-table.ts';
import type { Region } from './region.ts';
import { isFloat, searchBytes, wordOf, type SearchField } from './search-layout.ts';

const NORMALS = 64;
/** Short side of the reduced image of the start search. */
const SMALL = 96;
/** Log-odds at which the start search stops trying further candidates. */
export const ENOUGH = 3;
const WORK_BYTES = 1 << 16;
/** The arc of the second stage: 50 degrees to either side (paper 000, section 2.3). */
const ARC = (50 * Math.PI) / 180;

/** A dark compact region: where to start, half its side, how well it stands out. */
export interface Candidate {
  x: number;
  y: number;
  half: number;
  score: number;
}

/** What rays and RANSAC found; `found` false: they led nowhere. */
export interface FoundCircle {
  readonly x: number;
  readonly y: number;
  readonly r: number;
  readonly votes: number;
  readonly points: Float32Array;
  readonly found: boolean;
}

export class StarburstSearch {
  readonly #runtime: Runtime;
  readonly #values: PupilValues;
  readonly #owned: number[];
  readonly #at: number;
  readonly #best: number;
  readonly #work: number;

  /** `capacity`: border points that other methods will put in, if more than the rays'. */
  constructor(runtime: Runtime, values: PupilValues, maximumWidth: number, capacity = 0) {
    this.#runtime = runtime;
    this.#values = values;
    this.#owned = allocateAll(runtime, [searchBytes, searchBytes, WORK_BYTES + 2 * maximumWidth]);
    [this.#at, this.#best, this.#work] = this.#owned as [number, number, number];
    runtime.arena.u8.fill(0, this.#at, this.#at + searchBytes);
    try {
      this.#lay(capacity);
    } catch (error) {
      this.dispose(); // no memory for all of it
      throw error;
    }
  }

  /** Tables and lists, and the fields that stay the same from frame to frame. */
  #lay(capacity: number): void {
    const runtime = this.#runtime;
    const values = this.#values;
    const { rays, secondaryRays, sets, candidates } = values;
    const points = 4 * (Math.max(capacity, rays * (secondaryRays + 1)) + 8);
    const taps = Uint16Array.from(gaussianTaps(values.gaussianSize, values.gaussianSigma));
    this.#set({
      scratch: this.#allocate(runtime.wasm.kernels.evaluate('tileScratchBytes')),
      gaussian: this.#store(taps),
      gaussianSize: values.gaussianSize,
      reflectionSize: values.reflections === 'skip' ? values.reflectionSize : 0,
      reflectionThreshold: values.reflectionThreshold,
      reflectionDilation: values.reflectionDilation,
      directions: this.#store(rayDirections(rays)),
      rays,
      arc: this.#store(arcDirections(secondaryRays)),
      arcRays: secondaryRays,
      normals: this.#store(rayDirections(NORMALS)),
      normalCount: NORMALS,
      table: this.#store(ransacTable(sets)),
      sets,
      voteDistance: values.voteDistance,
      epsilon: values.epsilon,
      iterations: values.iterations,
      minContrast: values.minContrast,
      paper: values.variant === 'paper' ? 1 : 0,
      px: this.#allocate(points),
      py: this.#allocate(points),
      qx: this.#allocate(Math.max(points, 4 * NORMALS)),
      qy: this.#allocate(Math.max(points, 4 * NORMALS)),
      spareX: this.#allocate(Math.max(points, 4 * NORMALS)),
      spareY: this.#allocate(Math.max(points, 4 * NORMALS)),
      candidates: this.#allocate(16 * (candidates + 1)),
      maxCandidates: candidates,
    });
  }

  #allocate(bytes: number): number {
    const address = this.#runtime.arena.allocate(bytes);
    this.#owned.push(address);
    return address;
  }

  #store(data: Uint16Array | Float32Array): number {
    const address = this.#allocate(data.byteLength);
    this.#runtime.arena.u8.set(new Uint8Array(data.buffer), address);
    return address;
  }

  #set(fields: Partial<Record<SearchField, number>>): void {
    const { i32, f32 } = this.#runtime.arena;
    for (const [name, value] of Object.entries(fields) as [SearchField, number][])
      (isFloat(name) ? f32 : i32)[(this.#at >> 2) + wordOf(name)] = value;
  }

  get(name: SearchField): number {
    const { i32, f32 } = this.#runtime.arena;
    return (isFloat(name) ? f32 : i32)[(this.#at >> 2) + wordOf(name)]!;
  }

  /** Points the search at a frame and the region in which it may look. */
  begin(source: Plane, frame: PreparedFrame, region: Region): void {
    const { width, height } = source;
    const reduction = Math.min(
      64,
      Math.max(1, Math.floor(Math.min(region.x1 - region.x0, region.y1 - region.y0) / SMALL)),
    );
    const smallWidth = Math.floor((region.x1 - region.x0) / reduction);
    const smallHeight = Math.floor((region.y1 - region.y0) / reduction);
    this.#reserveSmall(smallWidth * smallHeight, (smallWidth + 1) * (smallHeight + 1));
    const [minRadius, maxRadius] = radiusLimits(this.#values, width, height);
    this.#set({
      src: source.address,
      stride: source.stride,
      width,
      height,
      blurred: frame.blurred,
      mask: frame.mask,
      planeStride: frame.stride,
      tiles: frame.tiles,
      tilesAcross: frame.tilesAcross,
      tilesDown: frame.tilesDown,
      blocks: frame.blocks,
      blocksAcross: frame.blocksAcross,
      ...region,
      reduction,
      smallWidth,
      smallHeight,
      minRadius,
      maxRadius,
    });
  }

  /** Room for the reduced image and its sums. The region stays while a search lives, so this happens once. */
  #small = { pixels: 0, sums: 0 };
  #reserveSmall(pixels: number, sums: number): void {
    if (pixels <= this.#small.pixels && sums <= this.#small.sums) return;
    this.#set({ small: this.#allocate(pixels + 64), integral: this.#allocate(4 * sums) });
    this.#small = { pixels, sums };
  }

  /** From the darkest compact regions of the region, `candidates` of them at most. */
  search(candidates: number): void {
    this.#call(this.searching(candidates));
  }
  searching(candidates: number): KernelCall {
    this.limit(candidates);
    return {
      kernel: 'starburstSearch',
      args: [this.#at, this.#best, this.#values.minGradient, ENOUGH, this.#work],
    };
  }

  #call({ kernel, args }: KernelCall): void {
    this.#runtime.wasm.kernels.call(kernel, ...args);
  }

  /** The start candidates alone, best first. */
  candidates(most: number): Candidate[] {
    this.#set({ maxCandidates: Math.min(most, this.#values.candidates) });
    this.#runtime.wasm.kernels.call('starburstCandidates', this.#at, this.#work);
    const { f32 } = this.#runtime.arena;
    return Array.from({ length: this.get('candidateCount') }, (_, i) => {
      const at = (this.get('candidates') >> 2) + 4 * i;
      return { x: f32[at]!, y: f32[at + 1]!, half: f32[at + 2]!, score: f32[at + 3]! };
    });
  }

  /** Outline and judgement for a circle and border points that were found elsewhere. */
  finish(circle: FoundCircle, dark: number): void {
    const { x, y, r, votes, points, found } = circle;
    this.#set({ cx: x, cy: y, r, votes, points: points.length >> 1, dark });
    const { f32 } = this.#runtime.arena;
    const px = this.get('px') >> 2;
    const py = this.get('py') >> 2;
    for (let i = 0; 2 * i < points.length; i++) {
      f32[px + i] = points[2 * i]!;
      f32[py + i] = points[2 * i + 1]!;
    }
    this.#runtime.wasm.kernels.call('starburstFinish', this.#at, found ? 1 : 0, this.#work);
  }

  /** What the kernels take as `search`. */
  get address(): number {
    return this.#at;
  }

  /** Room for a second state, in which kernels keep the best result. */
  get spare(): number {
    return this.#best;
  }

  /** At most so many start candidates from now on. */
  limit(candidates: number): void {
    this.#set({ maxCandidates: Math.min(candidates, this.#values.candidates) });
  }

  /** Puts an outline into the state, for a search that starts from it. */
  startFrom({ x, y, major, minor, angle }: Ellipse, dark: number): void {
    const [eux, euy] = [Math.cos(angle), Math.sin(angle)];
    this.#set({ ex: x, ey: y, ea: major / 2, eb: minor / 2, eux, euy, dark });
  }

  /** First percentile of the region's levels, also kept for the judgement. */
  measureDark(): number {
    this.#runtime.wasm.kernels.call('pupilDark', this.#at, this.#work);
    return this.get('dark');
  }

  /** The state of a search that has found nothing yet. */
  clear(dark: number): void {
    this.#set({ dark, votes: 0, points: 0 });
    this.#runtime.wasm.kernels.call('starburstFinish', this.#at, 0, this.#work);
  }

  /** A circle that was found elsewhere. */
  takeCircle(x: number, y: number, r: number): void {
    this.#set({ cx: x, cy: y, r });
  }

  /** What the result reports as votes and points. */
  takeVotes(votes: number, points: number): void {
    this.#set({ votes, points });
  }

  /** The edge pixels within the vote distance of the current circle become its border points, `capacity` at most. */
  gatherEdges({ address, stride, width, height }: Plane, x0: number, y0: number, capacity: number): void {
    const image = [address, stride, width, height, x0, y0];
    this.#runtime.wasm.kernels.call('circleEdges', this.#at, ...image, capacity);
  }

  /** RANSAC over the border points that were put in; whether there is a circle. */
  ransac(): boolean {
    return this.#runtime.wasm.kernels.evaluate('ransacPoints', this.#at) === 1;
  }

  /** The ellipse on the border points that voted for the current circle, in the paper's way. */
  fitInliers(): void {
    this.#runtime.wasm.kernels.call('starburstFinish', this.#at, 1, this.#work);
  }

  /** Outline and judgement around the current circle of border points that lie `outside` of the edge, pixels. */
  outlineAround(outside: number): void {
    this.#runtime.wasm.kernels.call('outlineFinish', this.#at, outside, this.#values.minGradient, this.#work);
  }

  /** Keeps the current result aside, or takes it back. Its border points stay; the next try writes to the other list. */
  keep(): void {
    this.#runtime.arena.u8.copyWithin(this.#best, this.#at, this.#at + searchBytes);
    const [qx, qy] = [this.get('qx'), this.get('qy')];
    this.#set({ qx: this.get('spareX'), qy: this.get('spareY'), spareX: qx, spareY: qy });
  }
  takeBack(): void {
    this.#runtime.arena.u8.copyWithin(this.#at, this.#best, this.#best + searchBytes);
  }

  /** From one point. */
  attempt(x: number, y: number, reach: number, gradient: number, dark: number): void {
    this.#call(this.attempting(x, y, reach, gradient, dark));
  }
  attempting(x: number, y: number, reach: number, gradient: number, dark: number): KernelCall {
    this.#set({ dark });
    return { kernel: 'starburstTry', args: [this.#at, x, y, reach, gradient, this.#work] };
  }

  /** The paper's search from one point. */
  paper(x: number, y: number): void {
    this.#call(this.asPaper(x, y));
  }
  asPaper(x: number, y: number): KernelCall {
    this.#set({ gradient: this.#values.minGradient });
    return { kernel: 'starburstPaper', args: [this.#at, x, y] };
  }

  /** x, y of the border points. */
  outline(): Float32Array {
    const { f32 } = this.#runtime.arena;
    const n = this.get('qn');
    const out = new Float32Array(2 * n);
    for (let i = 0; i < n; i++) {
      out[2 * i] = f32[(this.get('qx') >> 2) + i]!;
      out[2 * i + 1] = f32[(this.get('qy') >> 2) + i]!;
    }
    return out;
  }

  dispose(): void {
    for (const address of this.#owned.splice(0)) this.#runtime.arena.free(address);
  }
}

/** Smallest and largest radius of a pupil, pixels. */
export const radiusLimits = (values: PupilValues, width: number, height: number): [number, number] => [
  (values.minDiameter / 2) * Math.hypot(width, height),
  (values.maxDiameter / 2) * Math.min(width, height),
];

/** cos, sin of n directions around the circle. */
export const rayDirections = (n: number): Float32Array => directions(n, (i) => (2 * Math.PI * i) / n);

/** cos, sin of the n directions of the second stage, relative to the way back. */
export const arcDirections = (n: number): Float32Array =>
  directions(n, (i) => (n === 1 ? 0 : ARC * ((2 * i) / (n - 1) - 1)));

function directions(n: number, angle: (i: number) => number): Float32Array {
  return Float32Array.from({ length: 2 * n }, (_, k) => (k & 1 ? Math.sin : Math.cos)(angle(k >> 1)));
}
