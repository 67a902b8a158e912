/**
 * The detector: all windows of the grid through a cascade of variance, ferns and nearest neighbour (Kalal, Mikolajczyk,
 * Matas 2012, section 5.3). Variance and votes are computed by batches of windows over the threads, each window at a
 * place of its own; the confidences are summed where the learned posteriors live.
 */
import type { Box } from '../results/types.ts';
import type { GpuSide } from '../runtime/gpu-side.ts';
import type { WasmSide } from '../runtime/wasm-side.ts';
import { DetectorGpu, type Survivors } from './detector.gpu.ts';
import { FERNS, fernOffsets, scaleOffsets, type Ferns } from './ferns.ts';
import type { SharedFrame } from './frame.ts';
import { scanningGrid, type GridScale } from './grid.ts';
import type { ObjectValues } from './parameters.ts';
import { PATCH_FLOATS, type PatchModel, type Similarity } from './patch-model.ts';
import { Windows } from './windows.ts';

/** A window that passed the ferns. */
export interface Candidate extends Box {
  /** Number in the grid's order. */
  number: number;
  vote: number;
  /** Where its codes are until the next detection, if the GPU computed them. */
  record?: number;
}

export interface Detection extends Candidate, Similarity {
  /** Where its patch is stored until the next detection. */
  patch: number;
}

/** Most windows that are handed on from the ferns. */
const HANDED_ON = 8192;
const RECORD = 12;
/** Records of the GPU's codes that a thread takes at a time. */
const BLOCK = 1024;

export class Detector {
  readonly windows: Windows;
  readonly width: number;
  readonly height: number;
  readonly #side: WasmSide;
  readonly #table: ArrayLike<number>;
  readonly #owned: number[] = [];
  readonly #accepted: number;
  readonly #counts: number;
  readonly #votes: number;
  readonly #gathered: number;
  readonly #patches: number;
  readonly #most: number;
  #offsets = 0;
  #stride = 0;
  #gpu: DetectorGpu | null = null;
  /** Survivors that came from the GPU: codes, places, votes. */
  #survivors = 0;
  #capacity = 0;

  constructor(
    side: WasmSide,
    frame: { width: number; height: number },
    target: { width: number; height: number },
    table: ArrayLike<number>,
    values: ObjectValues,
  ) {
    this.#side = side;
    this.#table = table;
    this.width = frame.width;
    this.height = frame.height;
    this.#most = values.candidates;
    this.windows = new Windows(side.arena, scanningGrid(values.grid, target, frame, values.minSize));
    const { count } = this.windows.grid;
    const take = (bytes: number) => {
      const address = side.arena.allocate(bytes);
      this.#owned.push(address);
      return address;
    };
    try {
      this.#accepted = take(2 * count + 64);
      this.#counts = take(4 * this.windows.pairCount + 64);
      this.#votes = take(4 * count + 64);
      this.#gathered = take(RECORD * HANDED_ON);
      this.#patches = take(4 * PATCH_FLOATS * this.#most + 16 * this.#most);
    } catch (error) {
      this.dispose();
      throw error;
    }
  }

  /** Offsets of the comparisons; they depend on the image's row stride. */
  #offsetsFor(stride: number): number {
    if (stride !== this.#stride) {
      if (this.#offsets) this.#side.arena.free(this.#offsets);
      this.#offsets = scaleOffsets(this.#side.arena, this.#table, this.windows.grid.scales, stride);
      this.#stride = stride;
    }
    return this.#offsets;
  }

  /** Windows that vary more than `least`; returns how many. */
  variance(frame: SharedFrame, least: number): number {
    const { pairs, batches, batchCount, pairCount } = this.windows;
    const { sums, squares } = frame;
    this.#side.bands(
      'objectVariance',
      batchCount,
      [sums.address, squares.address, sums.stride, pairs, batches, this.#accepted, this.#counts, least],
      { minimumBand: 1, each: 4 },
    );
    const counts = this.#side.arena.i32.subarray(this.#counts >> 2, (this.#counts >> 2) + pairCount);
    return counts.reduce((a, b) => a + b, 0);
  }

  /** Votes of the windows that `variance` let through, as far as they reach `least`; the highest first. */
  votes(frame: SharedFrame, ferns: Ferns, least: number): Candidate[] {
    const { pairs, batches, batchCount, pairCount } = this.windows;
    const { address, stride } = frame.blurred;
    const offsets = this.#offsetsFor(stride);
    const [accepted, counts, votes] = [this.#accepted, this.#counts, this.#votes];
    const args = [address, stride, pairs, batches, accepted, counts, offsets, ferns.posteriors, least, votes];
    // Few windows of some batches pass the variance test, nearly all of others.
    this.#side.bands('fernVotes', batchCount, args, { scratch: 160, minimumBand: 1, each: 12 });
    const { kernels } = this.#side;
    const found = kernels.evaluate(
      'fernGather',
      ...[pairs, pairCount, accepted, counts, votes, least, this.#gathered, HANDED_ON],
    );
    return this.#candidates(Math.min(found, HANDED_ON), (pair, column) => ({
      ...this.windows.window(pair, column),
      vote: 0,
    }));
  }

  /** Its part on the GPU, or null where that cannot hold the windows. */
  gpu(side: GpuSide): DetectorGpu | null {
    if (!DetectorGpu.fits(side, this.windows)) return null;
    if (this.#gpu?.lost) this.#gpu = null;
    return (this.#gpu ??= new DetectorGpu(side, this.windows, this.#table));
  }

  /** Votes of the windows whose codes the GPU computed: the same candidates as those of `variance` and `votes`. */
  confidences({ count, codes, places }: Survivors, ferns: Ferns, least: number): Candidate[] {
    const { arena, kernels } = this.#side;
    if (count > this.#capacity) {
      if (this.#survivors) arena.free(this.#survivors);
      this.#survivors = this.#capacity = 0;
      const capacity = Math.min(this.windows.grid.count, Math.ceil(1.25 * count));
      this.#survivors = arena.allocate(24 * capacity + 64);
      this.#capacity = capacity;
    }
    const words = this.#survivors;
    const addresses = words + 16 * this.#capacity;
    const votes = addresses + 4 * this.#capacity;
    arena.u8.set(codes.subarray(0, 16 * count), words);
    arena.i32.set(places.subarray(0, count), addresses >> 2);
    const args = [words, addresses, count, BLOCK, ferns.posteriors, least, votes];
    this.#side.bands('codeVotes', Math.ceil(count / BLOCK), args, { minimumBand: 4, each: 4 });
    const found = kernels.evaluate('codeGather', addresses, count, votes, least, this.#gathered, HANDED_ON);
    const { widest } = this.windows;
    return this.#candidates(Math.min(found, HANDED_ON), (record, place) => {
      const { pair, column } = this.windows.place(Math.floor(place / widest), place % widest);
      return { ...this.windows.window(pair, column), vote: 0, record };
    });
  }

  /** The gathered windows, the highest vote first. */
  #candidates(count: number, window: (first: number, second: number) => Candidate): Candidate[] {
    const { arena } = this.#side;
    const candidates: Candidate[] = [];
    for (let i = 0, at = this.#gathered >> 2; i < count; i++, at += 3) {
      const candidate = window(arena.i32[at]!, arena.i32[at + 1]!);
      candidate.vote = arena.f32[at + 2]!;
      candidates.push(candidate);
    }
    return candidates.sort((a, b) => b.vote - a.vote || a.number - b.number);
  }

  /** The nearest-neighbour stage over the first candidates. */
  compare(frame: SharedFrame, candidates: readonly Candidate[], patches: PatchModel): Detection[] {
    const first = candidates.slice(0, this.#most);
    this.#patchesOf(frame, first);
    return first.map((candidate, i) => {
      const patch = this.#patches + 4 * PATCH_FLOATS * i;
      return { ...candidate, ...patches.similarity(patch), patch };
    });
  }

  #patchesOf({ sums, width, height }: SharedFrame, boxes: readonly Box[]): void {
    const { arena } = this.#side;
    const at = this.#patches + 4 * PATCH_FLOATS * this.#most;
    const f32 = arena.f32;
    boxes.forEach((box, i) => f32.set([box.x, box.y, box.width, box.height], (at >> 2) + 4 * i));
    const args = [sums.address, sums.stride, width, height, at, boxes.length, this.#patches];
    this.#side.once('patchesOfBoxes', args, 256);
  }

  /** The codes of windows of one size, 10 each, at their places in the blurred image. */
  codes(frame: SharedFrame, scale: Pick<GridScale, 'width' | 'height'>, boxes: readonly Box[]): Uint16Array {
    const { address, stride } = frame.blurredAround(boxes);
    const offsets = fernOffsets(this.#table, scale, stride);
    const { arena, kernels } = this.#side;
    const count = boxes.length;
    return this.#side.temporary(4 * offsets.length + 4 * count + 2 * FERNS * count, (block) => {
      const positions = block + 4 * offsets.length;
      const out = positions + 4 * count;
      arena.i32.set(offsets, block >> 2);
      arena.i32.set(
        boxes.map(({ x, y }) => y * stride + x),
        positions >> 2,
      );
      kernels.call('fernCodes', address, positions, count, block, out);
      return new Uint16Array(arena.u8.slice(out, out + 2 * FERNS * count).buffer);
    });
  }

  /** The codes of a candidate of the last detection. */
  codesOf(frame: SharedFrame, candidate: Candidate): Uint16Array {
    const { record } = candidate;
    if (record === undefined) return this.codes(frame, candidate, [candidate]);
    const { arena, kernels } = this.#side;
    return this.#side.temporary(2 * FERNS, (out) => {
      kernels.call('codeUnpack', this.#survivors, this.#survivors + 16 * this.#capacity, record, out);
      return new Uint16Array(arena.u8.slice(out, out + 2 * FERNS).buffer);
    });
  }

  dispose(): void {
    const { arena } = this.#side;
    if (this.#survivors) arena.free(this.#survivors);
    this.#survivors = this.#capacity = 0;
    this.#gpu?.dispose();
    this.#gpu = null;
    for (const address of this.#owned.splice(0)) arena.free(address);
    if (this.#offsets) arena.free(this.#offsets);
    this.#offsets = this.#stride = 0;
    this.windows.dispose();
  }
}
