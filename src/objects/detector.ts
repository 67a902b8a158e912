/**
 * The detector: all windows of the grid go through a cascade of variance, ferns and nearest neighbor (Kalal,
 * Mikolajczyk, Matas 2012, section 5.3). Threads compute variance and votes by batches of windows, and each window has
 * a fixed place. Then candidates and detections are listed for the kernels that learn and decide.
 */
import type { Box } from '../results/types.ts';
import type { RecordOf } from '../runtime/wasm/record.ts';
import { BoxRecord, CandidateRecord, DetectionRecord, WindowSearchRecord } from '../runtime/wasm/records.ts';
import { Scope, type Block } from '../runtime/scope.ts';
import type { Address, Plan } from '../runtime/wasm/kernel-step.ts';
import type { Runtime } from '../runtime/runtime.ts';
import { DetectorGpu, type Survivors } from './detector.gpu.ts';
import { FERNS, scaleOffsets, PATCH_FLOATS, type ObjectModel } from './model.ts';
import type { SharedFrame } from './frame.ts';
import { scanningGrid, type Grid, layoutOf, windowRecords, type WindowLayout } from './windows.ts';
import type { ObjectValues } from './parameters.ts';

/** Boxes in pixels, as values and as records. */

/** The part of a box inside a frame, or null. */
export function insideFrame(box: Box, width: number, height: number): Box | null {
  const x = Math.max(0, box.x);
  const y = Math.max(0, box.y);
  const right = Math.min(width, box.x + box.width);
  const bottom = Math.min(height, box.y + box.height);
  return right > x && bottom > y ? { x, y, width: right - x, height: bottom - y } : null;
}

type BoxField = 'x' | 'y' | 'width' | 'height';

/** Returns the box at the start of a record. */
export function boxOf(record: { get(name: BoxField): number }): Box {
  return { x: record.get('x'), y: record.get('y'), width: record.get('width'), height: record.get('height') };
}

/** Makes the record of box number `i` in a list with x, y, width and height of each box. */
export function boxRecord(scope: Scope, list: Float64Array, i = 0): RecordOf<typeof BoxRecord> {
  const [x = 0, y = 0, width = 0, height = 0] = list.subarray(4 * i);
  return scope.record(BoxRecord, { x, y, width, height });
}

/** Maximum number of windows that the ferns pass on. */
const HANDED_ON = 8192;
/** Number of records of the GPU's codes that a thread processes at a time. */
const BLOCK = 1024;
/** Minimum overlap of a window with a box to be an example of its content, and the maximum number of such windows. */
const NEAR = 0.6;
const NEAREST = 10;
/** Work of the ferns per window, relative to the work of the variance. */
const FERN_WORK = 10;

export class Detector {
  readonly windows: WindowLayout;
  /** Lists of candidates, of detections and of the windows near a box, in the format of the kernels. */
  readonly record: RecordOf<typeof WindowSearchRecord>;
  readonly #kept: Scope;
  readonly #table: ArrayLike<number>;
  /** Offsets of the ferns' comparisons, for one row stride of the blurred image. */
  #offsets: Block | null = null;
  #stride = 0;
  #gpu: DetectorGpu | null = null;
  /** Memory for survivors from the GPU: codes, places, votes. */
  #survivors: Block | null = null;
  #capacity = 0;

  /** `most` is the maximum number of windows that are compared with the stored patches. */
  constructor(runtime: Runtime, grid: Grid, table: ArrayLike<number>, most: number) {
    this.#table = table;
    this.windows = layoutOf(grid, runtime.pool.threads);
    const kept = (this.#kept = new Scope(runtime));
    const room = (bytes: number) => kept.block(bytes).address;
    try {
      this.record = kept.record(WindowSearchRecord, {
        ...windowRecords(kept, this.windows),
        accepted: room(2 * grid.count + 64),
        counts: room(4 * this.windows.pairCount + 64),
        votes: room(4 * grid.count + 64),
        candidates: room(CandidateRecord.bytes * HANDED_ON),
        detections: room(DetectionRecord.bytes * most),
        patches: room(4 * PATCH_FLOATS * most),
        nearest: room(CandidateRecord.bytes * NEAREST),
        mostCandidates: HANDED_ON,
        mostDetections: most,
      });
    } catch (error) {
      kept.dispose();
      throw error;
    }
  }

  /** Makes a detector for a target and frames of these sizes. For `small`, see scanningGrid. */
  static of(
    runtime: Runtime,
    frame: { width: number; height: number },
    target: { width: number; height: number },
    table: ArrayLike<number>,
    { grid, minSize, candidates }: Pick<ObjectValues, 'grid' | 'minSize' | 'candidates'>,
    small = false,
  ): Detector {
    return new Detector(runtime, scanningGrid(grid, target, frame, minSize, small), table, candidates);
  }

  get address(): number {
    return this.record.address;
  }

  /** Computes offsets of the comparisons for this image. */
  #offsetsFor({ stride }: { stride: number }): void {
    if (stride === this.#stride) return;
    if (this.#offsets) this.#kept.free(this.#offsets);
    this.#stride = 0;
    this.#offsets = scaleOffsets(this.#kept, this.#table, this.windows.grid.scales, stride);
    this.#stride = stride;
    this.record.set({ offsets: this.#offsets.address });
  }

  /** Finds windows with a variance above `least`. */
  *variance(frame: SharedFrame, least: number): Plan<void> {
    yield* frame.sums();
    yield* frame.squares();
    const over = { rows: this.windows.batchCount, minimumBand: 1, bands: 4, cost: this.windows.batch };
    yield* this.#kept.kernels.objectVariance({ search: this, frame, threshold: least }, over);
  }

  /** Number of windows that passed `variance`. */
  get passed(): number {
    const counts = this.#kept.u32({ address: this.record.get('counts') }, this.windows.pairCount);
    return counts.reduce((a, b) => a + b, 0);
  }

  /** Lists candidates, highest vote first: windows that passed `variance` and whose vote is at least `least`. */
  *votes(frame: SharedFrame, { posteriors }: Pick<ObjectModel, 'posteriors'>, least: number): Plan<void> {
    this.#offsetsFor(yield* frame.blurred());
    // In some batches few windows pass the variance test, in others nearly all.
    const over = { rows: this.windows.batchCount, minimumBand: 1, bands: 12, cost: FERN_WORK * this.windows.batch };
    yield* this.#kept.kernels.fernVotes({ search: this, frame, posteriors, least }, over);
    yield* this.#kept.kernels.fernGather({ search: this, least });
  }

  /** Returns the GPU part of the detector. */
  gpu(): DetectorGpu {
    if (this.#gpu?.lost) this.#kept.free(this.#gpu);
    else if (this.#gpu) return this.#gpu;
    return (this.#gpu = this.#kept.own(new DetectorGpu(this.#kept.runtime, this.windows, this.#table)));
  }

  /**
   * Lists candidates among the windows whose codes the GPU computed. They equal the result of `variance` and `votes`.
   */
  *confidences(
    { count, codes, places: list }: Survivors,
    { posteriors }: Pick<ObjectModel, 'posteriors'>,
    least: number,
  ): Plan<void> {
    const kept = this.#kept;
    if (!this.#survivors || count > this.#capacity) {
      if (this.#survivors) kept.free(this.#survivors);
      this.#survivors = null;
      this.#capacity = Math.min(this.windows.grid.count, Math.ceil(1.25 * count));
      this.#survivors = kept.block(24 * this.#capacity + 64);
    }
    const words = this.#survivors.address;
    const places = words + 16 * this.#capacity;
    const votes = places + 4 * this.#capacity;
    kept.arena.u8.set(codes.subarray(0, 16 * count), words);
    kept.arena.i32.set(list.subarray(0, count), places >> 2);
    this.record.set({ words, places });
    const over = { rows: Math.ceil(count / BLOCK), minimumBand: 4, bands: 4, cost: BLOCK };
    yield* kept.kernels.codeVotes({ words, places, count, block: BLOCK, posteriors, least, votes }, over);
    yield* kept.kernels.codeGather({ search: this, count, votes, least });
  }

  /** Lists detections: the first candidates, with the similarity of their patches. */
  *compare(frame: SharedFrame, model: ObjectModel): Plan<void> {
    yield* frame.sums();
    yield* this.#kept.kernels.compareCandidates({ search: this, model, frame });
  }

  /** Runs the whole cascade in WASM, or continues with the windows that the GPU found. */
  *detect(frame: SharedFrame, model: ObjectModel, survivors?: Survivors): Plan<void> {
    const least = FERNS * model.record.get('fernThreshold');
    if (survivors) yield* this.confidences(survivors, model, least);
    else {
      yield* this.variance(frame, model.record.get('leastVariance'));
      yield* this.votes(frame, model, least);
    }
    yield* this.compare(frame, model);
  }

  /** Lists the windows nearest to a box record and blurs the frame around them. The learner uses both. */
  *near(frame: SharedFrame, box: Address): Plan<void> {
    yield* this.#kept.kernels.nearestWindows({ search: this, box, least: NEAR, mostNearest: NEAREST });
    const { bytes } = CandidateRecord;
    const boxes = Array.from({ length: this.record.get('nearestCount') }, (_, i): Box => {
      const window = this.#kept.view(CandidateRecord, this.record.get('nearest') + bytes * i);
      return boxOf(window);
    });
    if (boxes.length) this.#offsetsFor(yield* frame.blurredAround(boxes));
  }

  dispose(): void {
    this.#kept.dispose();
    this.#gpu = null;
  }
}
