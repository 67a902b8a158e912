/**
 * The detector: all windows of the grid through a cascade of variance, ferns and nearest neighbour (Kalal, Mikolajczyk,
 * Matas 2012, section 5.3). Variance and votes are computed by batches of windows over the threads, each window at a
 * place of its own; then candidates and detections are listed where the kernels that learn and decide read them.
 */
import type { Box } from '../results/types.ts';
import type { GpuSide } from '../runtime/gpu-side.ts';
import type { WasmSide } from '../runtime/wasm-side.ts';
import { DetectorGpu, type Survivors } from './detector.gpu.ts';
import { scaleOffsets } from './ferns.ts';
import type { SharedFrame } from './frame.ts';
import { scanningGrid } from './grid.ts';
import { callKernel } from './kernel.ts';
import { PATCH_FLOATS, type ObjectModel } from './model.ts';
import type { ObjectValues } from './parameters.ts';
import { RecordView, type RecordOf } from '../runtime/record.ts';
import { CandidateRecord, DetectionRecord, WindowSearchRecord } from '../runtime/records.ts';
import { Windows } from './windows.ts';

/** Most windows that are handed on from the ferns. */
const HANDED_ON = 8192;
/** Records of the GPU's codes that a thread takes at a time. */
const BLOCK = 1024;
/** Windows that overlap a box this much are examples of what it holds, at most this many of them. */
const NEAR = 0.6;
const NEAREST = 10;
/** Bytes in which `fernVotes` works. */
const VOTES_SCRATCH = 160;

type FourNumbers = [number, number, number, number];

export class Detector {
  readonly windows: Windows;
  readonly width: number;
  readonly height: number;
  /** Lists of candidates, of detections and of the windows near a box, as the kernels read them. */
  readonly record: RecordOf<typeof WindowSearchRecord>;
  readonly #side: WasmSide;
  readonly #table: ArrayLike<number>;
  readonly #block: number;
  /** Of the ferns' comparisons, for one row stride of the blurred image. */
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
    const most = values.candidates;
    const { arena } = side;
    const windows = (this.windows = new Windows(arena, scanningGrid(values.grid, target, frame, values.minSize)));
    const { grid, pairs, pairCount, batches, batchCount, scales, widest } = windows;
    const sizes = {
      record: WindowSearchRecord.bytes,
      accepted: 2 * grid.count + 64,
      counts: 4 * pairCount + 64,
      votes: 4 * grid.count + 64,
      candidates: CandidateRecord.bytes * HANDED_ON,
      detections: DetectionRecord.bytes * most,
      patches: 4 * PATCH_FLOATS * most,
      nearest: CandidateRecord.bytes * NEAREST,
    };
    const aligned = (bytes: number) => (bytes + 15) & ~15;
    try {
      this.#block = arena.allocate(Object.values(sizes).reduce((sum, bytes) => sum + aligned(bytes), 0));
    } catch (error) {
      windows.dispose();
      throw error;
    }
    let at = this.#block;
    const take = (bytes: number) => (at += aligned(bytes)) - aligned(bytes);
    this.record = new RecordView(arena, WindowSearchRecord, take(sizes.record)).clear().set({
      accepted: take(sizes.accepted),
      counts: take(sizes.counts),
      votes: take(sizes.votes),
      candidates: take(sizes.candidates),
      detections: take(sizes.detections),
      patches: take(sizes.patches),
      nearest: take(sizes.nearest),
      mostCandidates: HANDED_ON,
      mostDetections: most,
      scaleCount: grid.scales.length,
      ...{ pairs, pairCount, batches, batchCount, scales, widest },
    });
  }

  get address(): number {
    return this.record.address;
  }

  /** Offsets of the comparisons in this image. */
  #offsetsFor({ stride }: { stride: number }): void {
    if (stride === this.#stride) return;
    if (this.#offsets) this.#side.arena.free(this.#offsets);
    this.#offsets = this.#stride = 0;
    this.#offsets = scaleOffsets(this.#side.arena, this.#table, this.windows.grid.scales, stride);
    this.#stride = stride;
    this.record.set({ offsets: this.#offsets });
  }

  /** Windows that vary more than `least`; returns how many. */
  variance(frame: SharedFrame, least: number): number {
    const { batchCount, pairCount } = this.windows;
    void [frame.sums, frame.squares]; // made now
    const args = [this.address, frame.address, least];
    this.#side.bands('objectVariance', batchCount, args, { minimumBand: 1, each: 4 });
    const counts = this.record.get('counts') >> 2;
    return this.#side.arena.i32.subarray(counts, counts + pairCount).reduce((a, b) => a + b, 0);
  }

  /** Candidates: windows that `variance` let through and whose vote reaches `least`, the highest first. */
  votes(frame: SharedFrame, model: ObjectModel, least: number): void {
    this.#offsetsFor(frame.blurred);
    const args = [this.address, frame.address, model.posteriors, least];
    const scratch = VOTES_SCRATCH;
    // Few windows of some batches pass the variance test, nearly all of others.
    this.#side.bands('fernVotes', this.windows.batchCount, args, { scratch, minimumBand: 1, each: 12 });
    this.#side.kernels.call('fernGather', this.address, least);
  }

  /** Its part on the GPU, or null where that cannot hold the windows. */
  gpu(side: GpuSide): DetectorGpu | null {
    if (!DetectorGpu.fits(side, this.windows)) return null;
    if (this.#gpu?.lost) this.#gpu = null;
    return (this.#gpu ??= new DetectorGpu(side, this.windows, this.#table));
  }

  /** Candidates among the windows whose codes the GPU computed: the same as those of `variance` and `votes`. */
  confidences({ count, codes, places }: Survivors, model: ObjectModel, least: number): void {
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
    this.record.set({ words, places: addresses });
    const args = [words, addresses, count, BLOCK, model.posteriors, least, votes];
    this.#side.bands('codeVotes', Math.ceil(count / BLOCK), args, { minimumBand: 4, each: 4 });
    kernels.call('codeGather', this.address, count, votes, least);
  }

  /** Detections: the first candidates with the similarity of their patches. */
  compare(frame: SharedFrame, model: ObjectModel): void {
    void frame.sums; // made now
    callKernel(this.#side, 'compareCandidates', [this.address, model.address, frame.address]);
  }

  /** Lists the windows nearest to a box record, and blurs the frame around them: what can be learned from it. */
  near(frame: SharedFrame, box: number): void {
    callKernel(this.#side, 'nearestWindows', [this.address, box, NEAR, NEAREST], NEAREST);
    const first = this.record.get('nearest') >> 2;
    const words = CandidateRecord.bytes >> 2;
    const boxes: Box[] = [];
    for (let i = 0; i < this.record.get('nearestCount'); i++) {
      const [x, y, width, height] = this.#side.arena.f32.subarray(first + words * i) as unknown as FourNumbers;
      boxes.push({ x, y, width, height });
    }
    if (boxes.length) this.#offsetsFor(frame.blurredAround(boxes));
  }

  dispose(): void {
    const { arena } = this.#side;
    if (this.#survivors) arena.free(this.#survivors);
    this.#survivors = this.#capacity = 0;
    this.#gpu?.dispose();
    this.#gpu = null;
    if (this.#offsets) arena.free(this.#offsets);
    this.#offsets = this.#stride = 0;
    arena.free(this.#block);
    this.windows.dispose();
  }
}
