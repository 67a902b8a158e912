/** A picture that is to be filled, on the arena, and the search of one patch in it. */
import type { Plan } from '../runtime/wasm/kernel-step.ts';
import type { Plane } from '../runtime/plane.ts';
import type { RecordView } from '../runtime/wasm/record.ts';
import { FillingRecord, SeamsRecord } from '../runtime/wasm/records.ts';
import type { Scope } from '../runtime/scope.ts';

// Scales that both sides compute with.

/** The data term in the field's unit (|isophote . normal| / 255 for gray in 0..255) is the integer over this. */
export const DATA_UNIT = 2 * 255 * 2 ** 21;

/** round(2^21 / sqrt(n)), by the square of the normal's length; 0 where there is no normal. */
export const inverseLengths: Uint32Array = Uint32Array.from({ length: 33 }, (_, n) =>
  n === 0 ? 0 : Math.round(2 ** 21 / Math.sqrt(n)),
);

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
function* markValid(scope: Scope, filling: Filling, columns: number, rows: number): Plan<void> {
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

// Takes the seams out of a filled hole: see assembly/inpaint/blend.ts for the equation.

/** Sweeps; what a misfit still changes after them is below half a level. */
const SWEEPS = 60;

/** Changes the picture's filled pixels in place. */
export const blend = (scope: Scope, filling: Filling): Plan<void> =>
  scope.part(function* (inner) {
    const [boxX, boxY] = [filling.get('boxX'), filling.get('boxY')];
    const x = Math.max(0, boxX - 1);
    const y = Math.max(0, boxY - 1);
    const width = Math.min(filling.get('width'), boxX + filling.get('boxWidth') + 1) - x;
    const height = Math.min(filling.get('height'), boxY + filling.get('boxHeight') + 1) - y;
    const pixels = width * height;
    const values = inner.block(16 * pixels).address;
    const constants = inner.block(16 * pixels).address;
    const inverses = inner.block(4 * pixels).address;
    const seams = inner.record(SeamsRecord, { x, y, width, height, values, constants, inverses });
    const over = { rows: height, cost: width };
    yield* inner.kernels.inpaintBlendStart({ filling, seams }, over);
    for (let sweep = 0; sweep < SWEEPS; sweep++)
      for (const parity of [0, 1]) yield* inner.kernels.inpaintBlendSweep({ seams, parity }, over);
    yield* inner.kernels.inpaintBlendEnd({ filling, seams }, over);
  });
