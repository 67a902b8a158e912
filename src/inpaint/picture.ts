/** A picture that is to be filled, on the arena, and the search of one patch in it. */
import type { Plan } from '../runtime/wasm/kernel-step.ts';
import type { Plane } from '../runtime/plane.ts';
import type { RecordView } from '../runtime/wasm/record.ts';
import { FillingRecord } from '../runtime/wasm/records.ts';
import type { Scope } from '../runtime/scope.ts';
import { inverseLengths } from './layout.ts';

/** What the kernels know of it (assembly/inpaint/picture-record.ts). */
export type Filling = RecordView<Parameters<(typeof FillingRecord.fields)['get']>[0]>;

/** Bytes that are copied in one go. */
const PIECE = 4 << 20;

/** Side of the blocks whose sums bound distances: three of them in a patch of the default size, at most 5. */
const blockSide = (patch: number): number => Math.min(5, Math.floor(patch / 3));

/** The hole of a mask (not 0: to be filled) and its box; the picture so far is the source itself. */
export function* pictureOf(scope: Scope, source: Plane, mask: Plane, patch: number): Plan<Filling> {
  const { width, height } = source;
  const bytes = () => scope.plane(width, height, 'u8');
  const hole = bytes();
  const filling = scope.record(FillingRecord, {
    ...{ width, height, source: source.address, image: source.address, stride: source.stride },
    ...{ byteStride: hole.stride, hole: hole.address, runs: bytes().address, valid: bytes().address },
    ...{ half: patch >> 1, blockSide: blockSide(patch), inverse: scope.table(inverseLengths).address },
  });
  const over = { rows: height, cost: width };
  yield* scope.kernels.inpaintHole({ mask, hole, width }, over);
  yield* scope.kernels.inpaintRuns({ filling }, over);
  yield* scope.kernels.inpaintBox({ filling });
  return filling;
}

/** Marks the patches of this size that lie in the source region. */
export function* markValid(scope: Scope, filling: Filling, columns: number, rows: number): Plan<void> {
  const over = { rows: filling.get('height'), cost: filling.get('width') * rows };
  yield* scope.kernels.inpaintValid({ filling, columns, rows }, over);
}

/** Whether a whole patch can be copied from anywhere. */
export function* possible(scope: Scope, filling: Filling, patch: number): Plan<boolean> {
  if (filling.get('width') < patch || filling.get('height') < patch) return false;
  yield* markValid(scope, filling, patch, patch);
  return (yield* scope.kernels.inpaintAny({ filling })) !== 0;
}

/** Confidence, 0 in the hole; and the picture so far as a copy, where it is one. */
export function* begin(scope: Scope, filling: Filling): Plan<void> {
  const [width, height] = [filling.get('width'), filling.get('height')];
  filling.set({ confidence: scope.plane(width, height, 'u32').address });
  yield* scope.kernels.inpaintBegin({ filling }, { rows: height, cost: width });
}

/** What a search needs of the source: the sums of its blocks. */
export class Search {
  readonly #scope: Scope;
  readonly #filling: Filling;
  readonly #hands: number;
  /** The size of patch that is marked as valid. */
  #size = '';

  private constructor(scope: Scope, filling: Filling) {
    this.#scope = scope;
    this.#filling = filling;
    // As many hands as the pool makes bands.
    this.#hands = scope.threads > 1 ? 2 * scope.threads : 1;
  }

  static *of(scope: Scope, filling: Filling, patch: number): Plan<Search> {
    const [width, height] = [filling.get('width'), filling.get('height')];
    const sumsStride = (8 * width + 31) & ~31;
    filling.set({
      sumsStride,
      // Reads of eight candidates run up to a patch past the last row.
      sums: scope.block(sumsStride * height + 8 * (patch + 8)).address,
      best: scope.block(8 * height).address,
      lists: scope.block(yield* scope.kernels.inpaintListBytes({ patch })).address,
    });
    yield* scope.kernels.inpaintMean({ filling });
    yield* scope.kernels.inpaintBlockSums({ filling }, { rows: height, cost: 4 * width });
    return new Search(scope, filling);
  }

  /** Reads the patch around the filling's center, and marks the candidates of its size. */
  *target(): Plan<void> {
    const filling = this.#filling;
    yield* this.#scope.kernels.inpaintTarget({ filling });
    const [columns, rows] = [filling.get('columns'), filling.get('rows')];
    const size = `${columns}x${rows}`;
    if (this.#size !== size) yield* markValid(this.#scope, filling, columns, rows);
    this.#size = size;
  }

  /** Looks at all candidates. */
  *run(): Plan<void> {
    const filling = this.#filling;
    const hands = this.#hands;
    const rows = Math.ceil((filling.get('y1') - filling.get('y0')) / hands) * hands;
    const over = { rows, minimumBand: 8, cost: filling.get('x1') - filling.get('x0') };
    yield* this.#scope.kernels.inpaintSearch({ filling, hands }, over);
  }
}

/** Copies the bytes of a plane. */
export function* copyPlane(scope: Scope, from: Plane, to: Plane): Plan<void> {
  const bytes = from.stride * from.height;
  for (let at = 0; at < bytes; at += PIECE) {
    const { u8 } = scope.arena;
    u8.copyWithin(to.address + at, from.address + at, from.address + Math.min(bytes, at + PIECE));
    yield* scope.turn();
  }
}
