/**
 * The WASM side of Starburst: memory of a search, preprocessing of a frame, tries and results. One search per eye; they
 * share the preprocessed tiles of the frame.
 */
import { gaussianTaps } from '../image/gaussian-kernel.ts';
import { strideOf, type Plane } from '../runtime/plane.ts';
import type { Runtime } from '../runtime/runtime.ts';
import type { PupilValues } from './parameters.ts';
import { ransacTable } from './ransac-table.ts';
import { isFloat, searchBytes, wordOf, type SearchField } from './search-layout.ts';

const TILE = 64;
const NORMALS = 64;
/** Short side of the reduced image of the start search. */
const SMALL = 96;
/** Log-odds at which the start search stops trying further candidates. */
const ENOUGH = 3;
const WORK_BYTES = 1 << 16;
/** The arc of the second stage: 50 degrees to either side (paper 000, section 2.3). */
const ARC = (50 * Math.PI) / 180;

export interface Region {
  x0: number;
  y0: number;
  x1: number;
  y1: number;
}

/** Blurred image, reflection mask and which of their tiles are valid. */
export class PreparedFrame {
  readonly width: number;
  readonly height: number;
  readonly stride: number;
  readonly blurred: number;
  readonly mask: number;
  readonly tiles: number;
  readonly tilesAcross: number;
  readonly tilesDown: number;
  readonly #runtime: Runtime;

  constructor(runtime: Runtime, width: number, height: number) {
    this.#runtime = runtime;
    this.width = width;
    this.height = height;
    this.stride = strideOf(width, 'u8');
    this.tilesAcross = Math.ceil(width / TILE);
    this.tilesDown = Math.ceil(height / TILE);
    this.blurred = runtime.arena.allocate(this.stride * height);
    this.mask = runtime.arena.allocate(this.stride * height);
    this.tiles = runtime.arena.allocate(this.tilesAcross * this.tilesDown);
  }

  /** Marks every tile as to be computed, or as computed. */
  mark(valid: 0 | 1): void {
    this.#runtime.arena.u8.fill(valid, this.tiles, this.tiles + this.tilesAcross * this.tilesDown);
  }

  /** Takes over whole-frame images instead of tiles. */
  take(blurred: Plane, mask: Plane | null): void {
    const memory = this.#runtime.arena.u8;
    const bytes = this.stride * this.height;
    memory.copyWithin(this.blurred, blurred.address, blurred.address + bytes);
    if (mask) memory.copyWithin(this.mask, mask.address, mask.address + bytes);
    else memory.fill(0, this.mask, this.mask + bytes);
    this.mark(1);
  }

  dispose(): void {
    for (const address of [this.blurred, this.mask, this.tiles]) this.#runtime.arena.free(address);
  }
}

export class StarburstSearch {
  readonly #runtime: Runtime;
  readonly #values: PupilValues;
  readonly #owned: number[] = [];
  readonly #at: number;
  readonly #best: number;
  readonly #work: number;

  constructor(runtime: Runtime, values: PupilValues, maximumWidth: number) {
    this.#runtime = runtime;
    this.#values = values;
    this.#at = this.#allocate(searchBytes);
    this.#best = this.#allocate(searchBytes);
    this.#work = this.#allocate(WORK_BYTES + 2 * maximumWidth);
    runtime.arena.u8.fill(0, this.#at, this.#at + searchBytes);
    const { rays, secondaryRays, sets, candidates } = values;
    const points = 4 * (rays * (secondaryRays + 1) + 8);
    const taps = Uint16Array.from(gaussianTaps(values.gaussianSize, values.gaussianSigma));
    const circle = (n: number) => Array.from({ length: n }, (_, i) => (2 * Math.PI * i) / n);
    const arc = (n: number) => Array.from({ length: n }, (_, i) => (n === 1 ? 0 : ARC * ((2 * i) / (n - 1) - 1)));
    this.#set({
      scratch: this.#allocate(runtime.wasm.kernels.evaluate('tileScratchBytes')),
      gaussian: this.#store(taps),
      gaussianSize: values.gaussianSize,
      reflectionKernel: values.reflections === 'skip' ? values.reflectionKernel : 0,
      reflectionThreshold: values.reflectionThreshold,
      reflectionDilation: values.reflectionDilation,
      directions: this.#store(directions(circle(rays))),
      rays,
      arc: this.#store(directions(arc(secondaryRays))),
      arcRays: secondaryRays,
      normals: this.#store(directions(circle(NORMALS))),
      normalCount: NORMALS,
      table: this.#store(ransacTable(sets)),
      sets,
      voteDistance: values.voteDistance,
      convergence: values.convergence,
      iterations: values.iterations,
      minContrast: values.minContrast,
      paper: values.variant === 'paper' ? 1 : 0,
      px: this.#allocate(points),
      py: this.#allocate(points),
      qx: this.#allocate(Math.max(points, 4 * NORMALS)),
      qy: this.#allocate(Math.max(points, 4 * NORMALS)),
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
      ...region,
      reduction,
      smallWidth,
      smallHeight,
      minRadius: (this.#values.minDiameter / 2) * Math.hypot(width, height),
      maxRadius: (this.#values.maxDiameter / 2) * Math.min(width, height),
    });
  }

  #smallSize = 0;
  #reserveSmall(pixels: number, sums: number): void {
    if (pixels <= this.#smallSize) return;
    this.#smallSize = pixels;
    this.#set({ small: this.#allocate(pixels + 64), integral: this.#allocate(4 * sums) });
  }

  /** From the darkest compact regions of the region, `candidates` of them at most. */
  search(candidates: number): void {
    this.#set({ maxCandidates: Math.min(candidates, this.#values.candidates) });
    const { kernels } = this.#runtime.wasm;
    kernels.call('starburstSearch', this.#at, this.#best, this.#values.gradient, ENOUGH, this.#work);
  }

  /** From one point. */
  attempt(x: number, y: number, reach: number, gradient: number, dark: number): void {
    this.#set({ dark });
    this.#runtime.wasm.kernels.call('starburstTry', this.#at, x, y, reach, gradient, this.#work);
  }

  /** The paper's search from one point. */
  paper(x: number, y: number): void {
    this.#set({ gradient: this.#values.gradient });
    this.#runtime.wasm.kernels.call('starburstPaper', this.#at, x, y);
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

function directions(angles: readonly number[]): Float32Array {
  return Float32Array.from(angles.flatMap((a) => [Math.cos(a), Math.sin(a)]));
}
