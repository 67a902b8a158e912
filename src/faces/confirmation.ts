/**
 * How sure a group of windows is a face. The search looks at few windows a face, so that their number is a matter of
 * chance; here a second cascade looks at the group's neighbourhood closely: 8 x 8 places, a window's twentieth apart, at
 * 7 sizes. How many of these windows pass says more, as the two cascades were trained apart and err at different places.
 *
 * A logistic regression makes a score of it: of n, the windows that were found (as many as a search with step 1 and
 * factor 1.1 would have found, nearly), m, the windows that were confirmed, and the share of the image that the box takes
 * up: small boxes have many more places to arise by chance. docs/accuracy.md says what its weights were fitted to.
 */
import type { Cascade } from '../models/cascade.ts';
import type { Box } from '../results/types.ts';
import type { Plane } from '../runtime/plane.ts';
import type { WasmSide } from '../runtime/wasm-side.ts';
import { cascadeTable } from './cascade-table.ts';
import type { FaceBox } from './grouping.ts';
import { stepAt } from './scales.ts';

/** Places in a row: what the kernel looks at side by side. */
const PLACES = 8;
/** Sizes from SMALLEST times the box on, each STEP times the one before. */
const SIZES = 7;
const SMALLEST = 0.84;
const STEP = 1.06;

/** Boxes that share this much of the smaller one are one face. */
const SAME = 0.5;

/** Odds of a face, as 0..1; `share` of the image's area. */
export function scoreOf(windows: number, confirmed: number, share: number): number {
  const odds = 2.1 * Math.log1p(windows) + 1.0 * Math.log1p(confirmed) + 0.2 * Math.log(share) - 4.5;
  return 1 / (1 + Math.exp(-odds));
}

/** How a search went about it. */
export interface SearchManner {
  readonly scaling: 'classifier' | 'image';
  readonly scaleFactor: number;
  readonly step: number;
  /** Faces that score less are left out. */
  readonly minScore: number;
}

/** Share of the smaller box that both have. */
function common(a: Box, b: Box): number {
  const w = Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x);
  const h = Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y);
  return (Math.max(0, w) * Math.max(0, h)) / Math.min(a.width * a.height, b.width * b.height);
}

/** Samples of one axis, `unit` pixels apart about the middle: pixel before each, and the weight of the next in 1/256. */
function axis(middle: number, unit: number, count: number, pixels: number): Int32Array {
  const table = new Int32Array(2 * count);
  for (let i = 0; i < count; i++) {
    const at = middle + (i - (count - 1) / 2) * unit;
    const low = Math.floor(at);
    const inside = low >= 0 && low < pixels - 1;
    table[2 * i] = Math.min(Math.max(low, 0), pixels - 1);
    table[2 * i + 1] = inside ? Math.round((at - low) * 256) : 0;
  }
  return table;
}

export class Confirmation {
  readonly #side: WasmSide;
  readonly #cascade: Cascade;
  readonly #patch: Plane;
  /** Row stride of the integral images. */
  readonly #stride: number;
  readonly #blocks: number[] = [];
  readonly #sums: number;
  readonly #squares: number;
  readonly #table: number;
  readonly #axes: number;
  readonly #hits: number;

  constructor(side: WasmSide, cascade: Cascade) {
    this.#side = side;
    this.#cascade = cascade;
    const { width, height } = cascade;
    const table = cascadeTable(cascade, {
      stride: (this.#stride = (4 * (width + 32) + 15) & ~15),
      split: false,
      scale: 1,
    });
    this.#patch = side.plane(width + PLACES - 1, height + PLACES - 1, 'u8');
    try {
      this.#sums = this.#allocate(this.#stride * (height + PLACES));
      this.#squares = this.#allocate(this.#stride * (height + PLACES));
      this.#table = this.#allocate(4 * table.length);
      this.#axes = this.#allocate(8 * (width + height + 2 * PLACES));
      this.#hits = this.#allocate(16 * PLACES + 4 * PLACES);
    } catch (error) {
      this.dispose();
      throw error;
    }
    side.arena.i32.set(table, this.#table >> 2);
  }

  #allocate(bytes: number): number {
    const address = this.#side.arena.allocate(bytes);
    this.#blocks.push(address);
    return address;
  }

  /** Windows about the box that pass, of 448. */
  count(image: Plane, box: Box): number {
    let sum = 0;
    for (let k = 0, size = SMALLEST; k < SIZES; k++, size *= STEP) sum += this.#passing(image, box, size);
    return sum;
  }

  #passing(image: Plane, { x, y, width, height }: Box, size: number): number {
    const side = this.#side;
    const patch = this.#patch;
    const { width: w, height: h } = this.#cascade;
    const columns = axis(x + (width - 1) / 2, (width * size) / w, patch.width, image.width);
    const rows = axis(y + (height - 1) / 2, (height * size) / h, patch.height, image.height);
    const below = this.#axes + columns.byteLength;
    side.arena.i32.set(columns, this.#axes >> 2);
    side.arena.i32.set(rows, below >> 2);
    const resize = [image.address, image.stride, patch.address, patch.stride, patch.width, this.#axes, below];
    side.once('resizeExact', [...resize, image.height, 0, patch.height], 4 * (patch.width + 32));
    const integral = [patch.width, patch.height, patch.height, 0, 0, 0, 1];
    side.once('integral', [patch.address, patch.stride, this.#sums, this.#stride, ...integral]);
    side.once('integralSquares', [patch.address, patch.stride, this.#squares, this.#stride, ...integral]);
    const counts = this.#hits + 16 * PLACES;
    const search = [this.#sums, this.#squares, this.#stride, this.#table, this.#hits, 16, counts, PLACES, 1, 0];
    side.once('cascadeRows', [...search, 0, PLACES], 2048);
    let sum = 0;
    for (let i = 0; i < PLACES; i++) sum += side.arena.i32[(counts >> 2) + i]!;
    return sum;
  }

  /** The groups that score enough, without those that lie on a better one. One group a step. */
  *judge(image: Plane, groups: readonly FaceBox[], manner: SearchManner): Generator<void, FaceBox[]> {
    const scored: (FaceBox & { score: number })[] = [];
    for (const group of groups) {
      const share = (group.width * group.height) / (image.width * image.height);
      const score = scoreOf(group.neighbors * this.#density(group, manner), this.count(image, group), share);
      if (score >= manner.minScore) scored.push({ ...group, score });
      yield;
    }
    scored.sort((a, b) => b.score - a.score);
    return scored.filter((face, i) => !scored.slice(0, i).some((better) => common(face, better) > SAME));
  }

  /** How much further apart the windows of the search were than those of one with step 1 and factor 1.1. */
  #density({ width }: Box, { scaling, scaleFactor, step }: SearchManner): number {
    const scale = width / this.#cascade.width;
    const pixels = stepAt(scaling, scale, step);
    const factor = Math.log(scaleFactor) / Math.log(1.1);
    return factor * (scaling === 'image' ? pixels : pixels / scale);
  }

  dispose(): void {
    this.#patch.dispose();
    for (const address of this.#blocks.splice(0)) this.#side.arena.free(address);
  }
}
