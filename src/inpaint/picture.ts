/** An image in the arena that is being filled, and the search for one patch in it. */
import type { Plan } from '../runtime/wasm/kernel-step.ts';
import type { Plane } from '../runtime/plane.ts';
import type { RecordView } from '../runtime/wasm/record.ts';
import { FillingRecord, SeamsRecord } from '../runtime/wasm/records.ts';
import type { Scope } from '../runtime/scope.ts';

// Scales that both backends use.

/**
 * The data term is stored as an integer in this unit. Dividing by it yields |isophote . normal| / 255, for gray in
 * 0..255.
 */
export const DATA_UNIT = 2 * 255 * 2 ** 21;

/** round(2^21 / sqrt(n)), indexed by the squared length n of the normal. 0 if there is no normal. */
export const inverseLengths: Uint32Array = Uint32Array.from({ length: 33 }, (_, n) =>
  n === 0 ? 0 : Math.round(2 ** 21 / Math.sqrt(n)),
);

/** The record that the kernels use (assembly/inpaint/picture-record.ts). */
export type Filling = RecordView<Parameters<(typeof FillingRecord.fields)['get']>[0]>;

/** Number of bytes to copy at a time. */
const PIECE = 4 << 20;

/** Size of the blocks whose sums bound distances. Three of them fit in a patch of the default size. At most 5. */
const blockSide = (patch: number): number => Math.min(5, Math.floor(patch / 3));

/** Makes the hole of a mask (the pixels that are not 0) and its box. The image so far is the source itself. */
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

/** Marks the patches of this size that are in the source region. */
function* markValid(scope: Scope, filling: Filling, columns: number, rows: number): Plan<void> {
  const over = { rows: filling.get('height'), cost: filling.get('width') * rows };
  yield* scope.kernels.inpaintValid({ filling, columns, rows }, over);
}

/** Whether a whole patch can be copied from somewhere. */
export function* possible(scope: Scope, filling: Filling, patch: number): Plan<boolean> {
  if (filling.get('width') < patch || filling.get('height') < patch) return false;
  yield* markValid(scope, filling, patch, patch);
  return (yield* scope.kernels.inpaintAny({ filling })) !== 0;
}

/**
 * Initializes the confidence, which is 0 in the hole. If the image so far is a separate plane, copies the source to it.
 */
export function* begin(scope: Scope, filling: Filling): Plan<void> {
  const [width, height] = [filling.get('width'), filling.get('height')];
  filling.set({ confidence: scope.plane(width, height, 'u32').address });
  yield* scope.kernels.inpaintBegin({ filling }, { rows: height, cost: width });
}

/** Searches the best match, with the sums of blocks of the source. */
export class Search {
  readonly #scope: Scope;
  readonly #filling: Filling;
  readonly #hands: number;
  /** Size of the patches that are marked as valid. */
  #size = '';

  private constructor(scope: Scope, filling: Filling) {
    this.#scope = scope;
    this.#filling = filling;
    // Uses one worker slot for each band that the pool makes.
    this.#hands = scope.threads > 1 ? 2 * scope.threads : 1;
  }

  static *of(scope: Scope, filling: Filling, patch: number): Plan<Search> {
    const [width, height] = [filling.get('width'), filling.get('height')];
    const sumsStride = (8 * width + 31) & ~31;
    filling.set({
      sumsStride,
      // Eight candidates are read at once, which reads up to a patch beyond the last row.
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

  /** Compares all candidates. */
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

// Removes the seams of a filled hole, see assembly/inpaint/blend.ts for the equation.

/** Number of sweeps. The remaining error after them changes values by less than half a gray value. */
const SWEEPS = 60;

/** Changes the image's filled pixels in place. */
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
