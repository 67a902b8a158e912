/**
 * The search of one image with one cascade in WASM. It yields after steps of at most a few milliseconds, so that it can
 * be spread over frames. The driver decides how many steps to run at a time.
 */
import { contrastOf, PLACES } from '../image/histogram.ts';
import type { Plane } from '../runtime/plane.ts';
import type { Scope, Block } from '../runtime/scope.ts';
import { roundEven } from '../image/numbers.ts';
import type { Cascade } from '../models/cascade.ts';
import { scaledWindow, cascadeTable } from './cascade-table.ts';
import type { Image, Plan } from '../runtime/wasm/kernel-step.ts';
import { resizeExact } from './resize.ts';

/**
 * Windows without contrast, which would make a cascade evaluate noise. OpenCV skips windows with a standard deviation
 * of 10 gray values or less. This skips many faces in an image with low contrast (dark or foggy). If results are
 * verified, windows with low contrast are searched too. The limit is then reduced by the ratio of the image's deviation
 * to `usual`. Few well lit images are below `usual`. The minimum limit is `noise` gray values. `npm run bench -- dark
 * faces` compares both.
 */

const LEVELS = 10;
export const flatRule = { usual: 32, noise: 2 };

/** Factor for the contrast, minimum and maximum variance. Single precision, so that both backends round equally. */
export const flatLimits = (faint?: boolean): [number, number, number] => [
  Math.fround((LEVELS / PLACES / flatRule.usual) ** 2),
  (faint ? flatRule.noise : LEVELS) ** 2,
  LEVELS ** 2,
];

/** Maximum variance of a flat window, for the searched image in the arena. */
export function leastVariance(scope: Scope, image: Plane, faint?: boolean): number {
  const [share, lowest, highest] = flatLimits(faint);
  return Math.min(highest, Math.max(lowest, Math.fround(Math.fround(contrastOf(scope, image)) * share)));
}

// The windows of a search: one entry per scale, in search order.

export interface ScaleOptions {
  /** 'classifier' scales the features, 'image' the image. */
  readonly scaling: 'classifier' | 'image';
  /** Factor between two scales. */
  readonly scaleFactor: number;
  /**
   * Distance in pixels between two windows, in the scaled image. 0 means 2, or 1 in images of at most half the size.
   */
  readonly step: number;
  /** Limits of window sides, in pixels of the searched image. 0 means no limit. */
  readonly minSize: number;
  readonly maxSize: number;
  /** Also search windows of low contrast, see leastVariance. */
  readonly faint?: boolean;
}

export interface Scale {
  readonly scale: number;
  /** Size of the image at this scale. */
  readonly width: number;
  readonly height: number;
  /** The window in pixels of the searched image. */
  readonly window: { readonly width: number; readonly height: number };
  readonly step: number;
  /** Numbers of windows across and down. */
  readonly columns: number;
  readonly rows: number;
}

/** Distance in pixels between two windows at a scale. With `step` 0, the default. */
export const stepAt = (scaling: ScaleOptions['scaling'], scale: number, step: number): number =>
  step || (scaling === 'image' && scale >= 2 ? 1 : 2);

/**
 * Returns the scales f^k whose window is between the limits and fits the image. This is OpenCV's rule, for both kinds
 * of scaling.
 */
export function planScales(cascade: Cascade, width: number, height: number, options: ScaleOptions): Scale[] {
  const { scaling, scaleFactor, step, minSize, maxSize } = options;
  const scales: Scale[] = [];
  for (let s = 1; ; s *= scaleFactor) {
    const scale = Math.fround(s); // 32-bit like in OpenCV
    const window = { width: roundEven(cascade.width * s), height: roundEven(cascade.height * s) };
    if (window.width > width || window.height > height) break;
    if (maxSize && Math.max(window.width, window.height) > maxSize) break;
    if (Math.min(window.width, window.height) < minSize) continue;
    const pixels = stepAt(scaling, scale, step);
    const image =
      scaling === 'image' ? { width: roundEven(width / scale), height: roundEven(height / scale) } : { width, height };
    const reach = scaling === 'image' ? cascade : scaledWindow(cascade, scale);
    // Without the last position, like OpenCV.
    const count = (side: number, window: number) => Math.ceil(Math.max(0, side - window) / pixels);
    const columns = count(image.width, reach.width);
    const rows = count(image.height, reach.height);
    if (columns > 0 && rows > 0) scales.push({ scale, ...image, window, step: pixels, columns, rows });
  }
  return scales;
}

/** Number of windows in a step of the search. */
const STEP = 12_000;
/** Number of pixels of scaled images that are made in the time of a step. */
const STEP_PIXELS = 200_000;
/** Work of a window in samples, see Rows.cost. */
const WINDOW = 4;
/** Maximum number of windows. More means that the cascade accepts everything. */
export const MOST_WINDOWS = 20_000;

/** Row stride in bytes: an odd number of cache lines, so that the rows of a window do not share them. */
const integralStride = (width: number) => ((((width + 1) * 4 + 63 + 64) >> 6) << 6) | 64;

export interface CascadeHits {
  /** x, y, width, height of every window that passed, in pixels of the image. */
  readonly windows: Int32Array;
  /** Number of windows that were tested. */
  readonly evaluated: number;
}

/** Returns x, y, width, height of a window of a scale, in pixels of the image. */
export function windowOf(scale: Scale, scaling: ScaleOptions['scaling'], column: number, row: number): number[] {
  const factor = scaling === 'image' ? scale.scale * scale.step : scale.step;
  return [roundEven(column * factor), roundEven(row * factor), scale.window.width, scale.window.height];
}

/** The cascade of a stage. */
declare module '../runtime/kinds.ts' {
  interface Kinds {
    cascade: Cascade;
  }
}

/** Number of windows in a search. */
export const windowsOf = (scales: readonly Scale[]): number =>
  scales.reduce((sum, { columns, rows }) => sum + columns * rows, 0);

/** Work to make the images of a scale, in steps. 0 if the images are shared with the previous scale. */
const imageWork = ({ width, height, step }: Scale, before?: Scale) =>
  width === before?.width && height === before.height && step === before.step ? 0 : (width * height) / STEP_PIXELS;

/** Work of a search, in steps: images and windows of its scales. */
export const stepsOf = (scales: readonly Scale[]): number =>
  scales.reduce((sum, scale, i) => sum + imageWork(scale, scales[i - 1]), windowsOf(scales) / STEP);

const chunkOf = (columns: number) => Math.max(1, Math.floor(STEP / columns));

interface Integrals {
  readonly sums: number;
  readonly squares: number;
  readonly stride: number;
}

/** Searches an image, and yields after each step (scope.turn). The image must exist until the end. */
export function* searchCascade(scope: Scope, cascade: Cascade, image: Plane, options: ScaleOptions): Plan<CascadeHits> {
  return yield* scope.part((inner) => new CascadeSearch(inner, cascade, image, options).run());
}

/** State of a search. Its scope frees it. */
class CascadeSearch {
  readonly #scope: Scope;
  readonly #cascade: Cascade;
  readonly #image: Plane;
  readonly #options: ScaleOptions;
  readonly #scales: readonly Scale[];
  readonly #stride: number;
  readonly #whole: Integrals;
  /** Even columns first, then the odd ones. */
  readonly #split: Integrals | null;
  readonly #hits: Image;
  readonly #counts: Block;
  readonly #tables = new Map<string, Block>();

  constructor(scope: Scope, cascade: Cascade, image: Plane, options: ScaleOptions) {
    this.#scope = scope;
    this.#cascade = cascade;
    this.#image = image;
    this.#options = options;
    const stride = (this.#stride = integralStride(image.width));
    this.#scales = planScales(cascade, image.width, image.height, options);
    const rows = Math.max(0, ...this.#scales.map((s) => s.rows));
    const sides = Math.max(1, ...this.#scales.map((s) => s.height)) + 1;
    const pair = () => {
      const [sums, squares] = [scope.block(stride * sides).address, scope.block(stride * sides).address];
      return { sums, squares, stride };
    };
    this.#whole = pair();
    this.#split = this.#scales.some((s) => s.step === 2) ? pair() : null;
    const hitStride = (image.width + 15) & ~15;
    this.#hits = { address: scope.block(hitStride * rows).address, stride: hitStride };
    this.#counts = scope.block(4 * rows);
  }

  #table(scale: number, split: boolean): Block {
    const own = this.#options.scaling === 'classifier' ? scale : 1;
    const key = `${own} ${split}`;
    let table = this.#tables.get(key);
    if (!table) {
      table = this.#scope.table(cascadeTable(this.#cascade, { stride: this.#stride, split, scale: own }));
      this.#tables.set(key, table);
    }
    return table;
  }

  /** Computes both integral images of one scale, with the stride of the search. */
  *#integrals(source: Plane, split: boolean): Plan<void> {
    const { width, height } = source;
    const blocks = { blockRows: height, offsets: { address: 0, stride: 0 } };
    const over = { rows: 1, cost: width * height };
    const image = (address: number) => ({ address, stride: this.#stride });
    const { sums, squares } = this.#whole;
    yield* this.#scope.kernels.integral({ source, target: image(sums), width, height, ...blocks }, over);
    yield* this.#scope.kernels.integralSquares({ source, target: image(squares), width, height, ...blocks }, over);
    if (!split) return;
    for (const name of ['sums', 'squares'] as const) {
      const [from, target] = [image(this.#whole[name]), image(this.#split![name])];
      yield* this.#scope.kernels.splitColumns({ source: from, target, width: width + 1 }, { rows: height + 1 });
    }
  }

  *run(): Plan<CascadeHits> {
    const scope = this.#scope;
    const found: number[] = [];
    let evaluated = 0;
    const least = leastVariance(scope, this.#image, this.#options.faint);
    for (const [i, place] of this.#scales.entries()) {
      const { scale, step, columns, rows } = place;
      const split = step === 2;
      const images = imageWork(place, this.#scales[i - 1]);
      if (images) {
        yield* scope.turn(images);
        yield* this.#integralsAt(place);
      }
      const model = this.#table(scale, split);
      const { sums, squares, stride } = split ? this.#split! : this.#whole;
      const chunk = chunkOf(columns);
      for (let y = 0; y < rows; y += chunk) {
        const count = Math.min(chunk, rows - y);
        const from = y * step * stride;
        const hits = { address: this.#hits.address + y * this.#hits.stride, stride: this.#hits.stride };
        yield* scope.turn((count * columns) / STEP);
        // A step has few rows with different costs and no overlap, so each row is a band.
        yield* scope.kernels.cascadeRows(
          {
            ...{ sums: sums + from, squares: squares + from, stride, model },
            ...{ hits: hits.address, hitStride: hits.stride, counts: this.#counts.address + 4 * y },
            ...{ columns, step, skip: this.#options.scaling === 'image', least },
          },
          { rows: count, minimumBand: 1, bands: 8, cost: WINDOW * columns },
        );
      }
      evaluated += columns * rows;
      this.#collect(found, place);
      if (found.length > 4 * MOST_WINDOWS) break;
    }
    return { windows: Int32Array.from(found), evaluated };
  }

  *#integralsAt({ width, height, step }: Scale): Plan<void> {
    const image = this.#image;
    const split = step === 2;
    if (width === image.width && height === image.height) return yield* this.#integrals(image, split);
    const reduced = yield* resizeExact(this.#scope, image, width, height);
    yield* this.#integrals(reduced, split);
    this.#scope.free(reduced);
  }

  #collect(found: number[], scale: Scale): void {
    const { u8, i32 } = this.#scope.arena;
    for (let y = 0; y < scale.rows; y++) {
      if (i32[(this.#counts.address >> 2) + y] === 0) continue;
      const row = this.#hits.address + y * this.#hits.stride;
      for (let x = 0; x < scale.columns; x++)
        if (u8[row + x]) found.push(...windowOf(scale, this.#options.scaling, x, y));
    }
  }
}
