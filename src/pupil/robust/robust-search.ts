/**
 * Memory of a robust search beside that of its Starburst search, and the call. Everything is laid out once for a size of
 * region; frames allocate nothing.
 */
import type { Plane } from '../../runtime/plane.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import type { Ellipse } from '../../results/types.ts';
import type { KernelCall, Last } from '../search/method.ts';
import { allocateAll } from '../search/memory.ts';
import type { PupilValues } from '../parameters.ts';
import type { PreparedFrame } from '../preparation/prepared-frame.ts';
import type { Region } from '../search/region.ts';
import { isRobustFloat, robustBytes, robustWord, type RobustField } from './robust-layout.ts';
import { robustWeights } from './weights.ts';
import { StarburstSearch } from '../search/search.ts';
import { trackingStart } from '../starburst/start.ts';

/** Normals of the last refinement, between those of the first ones. */
const FINE = 128;
/** The short side of the region in which edges are looked for, reduced pixels: at least this. */
const SMALL = 200;
/** And no more reduced pixels than this. */
const MOST = 6 * SMALL * SMALL;
const EDGES = 16384;
const SEGMENTS = 1024;
const SEGMENT_BYTES = 32;
const ELLIPSES = 6;
const ELLIPSE_BYTES = 32;
/** Log-odds from which no other proposal is looked at: in the whole region, and around the last pupil. */
const SURE = 4;
const SURE_HERE = 1.5;
/** Segments of an arc are flatter than the whole: edges of pupils this much smaller are looked for. */
const MARGIN = 0.8;
/** Outlines of a frame of which it is remembered that they were refined. */
const STARTS = 48;
const LOG = 64;

export interface Judged {
  readonly x: number;
  readonly y: number;
  /** Semi-axes. */
  readonly a: number;
  readonly b: number;
  readonly score: number;
  readonly features: Float32Array;
}

export class RobustSearch {
  readonly starburst: StarburstSearch;
  readonly #runtime: Runtime;
  readonly #values: PupilValues;
  readonly #owned: number[] = [];
  readonly #at: number;
  readonly #work: number;

  constructor(runtime: Runtime, values: PupilValues, width: number) {
    this.#runtime = runtime;
    this.#values = values;
    this.starburst = new StarburstSearch(runtime, values, width, FINE);
    try {
      const workBytes = (1 << 16) + 4 * width;
      this.#owned.push(...allocateAll(runtime, [robustBytes, workBytes]));
      [this.#at, this.#work] = this.#owned as [number, number];
      runtime.arena.u8.fill(0, this.#at, this.#at + robustBytes);
      this.#lay();
    } catch (error) {
      this.dispose(); // no memory for all of it
      throw error;
    }
  }

  #allocate(bytes: number): number {
    const address = this.#runtime.arena.allocate(bytes);
    this.#owned.push(address);
    return address;
  }

  #store(data: Float32Array): number {
    const address = this.#allocate(data.byteLength);
    this.#runtime.arena.u8.set(new Uint8Array(data.buffer), address);
    return address;
  }

  #lay(): void {
    const half = Array.from({ length: FINE }, (_, k) => (2 * Math.PI * (k + 0.5)) / FINE);
    const fine = Float32Array.from({ length: 2 * FINE }, (_, k) => (k & 1 ? Math.sin : Math.cos)(half[k >> 1]!));
    this.#set({
      edgeX: this.#allocate(4 * EDGES),
      edgeY: this.#allocate(4 * EDGES),
      normalX: this.#allocate(4 * EDGES),
      normalY: this.#allocate(4 * EDGES),
      used: this.#allocate(EDGES),
      maxEdges: EDGES,
      order: this.#allocate(2 * EDGES),
      segments: this.#allocate(SEGMENTS * SEGMENT_BYTES),
      maxSegments: SEGMENTS,
      ellipses: this.#allocate((ELLIPSES + 1) * ELLIPSE_BYTES),
      maxEllipses: ELLIPSES,
      starts: this.#allocate(12 * STARTS),
      maxStarts: STARTS,
      features: this.#allocate(4 * robustWeights.length),
      weights: this.#store(Float32Array.from(robustWeights, ([, weight]) => weight)),
      featureCount: robustWeights.length,
      fine: this.#store(fine),
      fineCount: FINE,
      sure: SURE,
    });
  }

  #set(fields: Partial<Record<RobustField, number>>): void {
    const { i32, f32 } = this.#runtime.arena;
    for (const [name, value] of Object.entries(fields) as [RobustField, number][])
      (isRobustFloat(name) ? f32 : i32)[(this.#at >> 2) + robustWord(name)] = value;
  }

  get(name: RobustField): number {
    const { i32, f32 } = this.#runtime.arena;
    return (isRobustFloat(name) ? f32 : i32)[(this.#at >> 2) + robustWord(name)]!;
  }

  /** What the kernels take as `robust`, and their room to work in. */
  get address(): number {
    return this.#at;
  }
  get work(): number {
    return this.#work;
  }

  /** Planes of the reduced region. It stays while a search lives, so this happens once. */
  #reserved = 0;
  #reserve(pixels: number): void {
    if (pixels <= this.#reserved) return;
    const bytes = 2 * pixels + 64;
    const planes = allocateAll(this.#runtime, [pixels + 64, bytes, bytes, bytes, bytes, bytes]);
    this.#owned.push(...planes);
    const [image, smooth, gradientX, gradientY, magnitude, index] = planes;
    this.#set({ image, smooth, gradientX, gradientY, magnitude, index });
    this.#reserved = pixels;
  }

  begin(source: Plane, frame: PreparedFrame, region: Region): void {
    this.starburst.begin(source, frame, region);
    const { factor, width, height } = reduced(region.x1 - region.x0, region.y1 - region.y0);
    const stride = (width + 15) & ~15;
    this.#reserve(stride * height);
    this.#set({
      factor,
      width,
      height,
      stride,
      minRadius: (MARGIN * this.starburst.get('minRadius')) / factor,
      maxRadius: this.starburst.get('maxRadius') / factor,
    });
  }

  /** Looks around the last pupil, then through the region with at most `candidates` dark regions. */
  find(last: Last | null, candidates: number): void {
    const { kernel, args } = this.finding(last, candidates);
    this.#runtime.wasm.kernels.call(kernel, ...args);
  }
  finding(last: Last | null, candidates: number): KernelCall {
    const { starburst } = this;
    const start = last && trackingStart(last, this.#values);
    if (last) starburst.startFrom(last.ellipse ?? circle(last), last.dark);
    starburst.limit(candidates);
    const args = [
      starburst.address,
      this.#at,
      starburst.spare,
      start ? 1 : 0,
      start?.x ?? 0,
      start?.y ?? 0,
      start?.reach ?? 0,
      start?.gradient ?? 0,
      this.#values.minGradient,
      SURE_HERE,
      this.#work,
    ];
    return { kernel: 'robustFind', args };
  }

  /** From now on every outline that is judged is kept for `judged`, and none ends the search: for the benchmarks. */
  keepAll(): void {
    if (this.get('log')) return;
    this.#set({ log: this.#allocate(4 * LOG * (6 + robustWeights.length)), maxLog: LOG, sure: Infinity });
  }

  /** The outlines that the last search judged. */
  judged(): Judged[] {
    const { f32 } = this.#runtime.arena;
    const size = 6 + robustWeights.length;
    return Array.from({ length: this.get('logCount') }, (_, k) => {
      const at = (this.get('log') >> 2) + k * size;
      const [x = 0, y = 0, a = 0, b = 0, score = 0] = f32.subarray(at, at + 5);
      return { x, y, a, b, score, features: f32.slice(at + 6, at + size) };
    });
  }

  dispose(): void {
    for (const address of this.#owned.splice(0)) this.#runtime.arena.free(address);
    this.starburst.dispose();
  }
}

const circle = ({ x, y, r }: Last): Ellipse => ({ x, y, major: 2 * r, minor: 2 * r, angle: 0 });

/** The reduced region: side of a block, blocks across and down. */
function reduced(width: number, height: number): { factor: number; width: number; height: number } {
  const factor = Math.max(
    1,
    Math.floor(Math.min(width, height) / SMALL),
    Math.ceil(Math.sqrt((width * height) / MOST)),
  );
  return { factor, width: Math.floor(width / factor), height: Math.floor(height / factor) };
}
