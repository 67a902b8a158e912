/**
 * Reads dlib's shape_predictor files. Integers are a control byte (sign, count) and that many bytes, floats are
 * mantissa and exponent, and matrices are negated sizes and their values. Any number of points, cascades and trees and
 * any depth is accepted. All trees must have one depth, and all cascades the same number of trees.
 */
import { Turn, type Plan } from '../runtime/wasm/kernel-step.ts';
import { wrongFormat } from './container.ts';
import {
  checkSizes,
  openLandmarks,
  packLandmarks,
  sameBox,
  type BoxMap,
  type LandmarkModel,
  type PackedLandmarks,
} from './landmarks.ts';

/** A file has about ten million floats. A power lookup needs a quarter of the time of a computation. */
const LARGEST_EXPONENT = 2000;
const powers = Float64Array.from({ length: 2 * LARGEST_EXPONENT + 1 }, (_, i) => 2 ** (i - LARGEST_EXPONENT));

class DatReader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get left(): number {
    return this.#bytes.length - this.#at;
  }

  /** Reads an integer. Beyond 2^53 it is not exact, but no size is that large. */
  int = (): number => {
    const bytes = this.#bytes;
    const control = bytes[this.#at++];
    if (control === undefined) throw wrongFormat('The .dat file is cut short.');
    const size = control & 15;
    if (size > 8 || (control & 0x70) !== 0)
      throw wrongFormat('This is not a dlib file: the first byte of a number is wrong.');
    if (this.left < size) throw wrongFormat('The .dat file is cut short.');
    let value = 0;
    for (let i = this.#at + size - 1; i >= this.#at; i--) value = value * 256 + bytes[i]!;
    this.#at += size;
    return control & 128 ? -value : value;
  };

  float = (): number => {
    const mantissa = this.int();
    const exponent = this.int();
    const power = powers[exponent + LARGEST_EXPONENT];
    if (power === undefined) throw wrongFormat('The .dat file has a number that is not finite.');
    return mantissa * power;
  };

  /** Reads a number of items that need at least `bytes` each. Throws if the file cannot hold them. */
  count(what: string, bytes: number): number {
    const value = this.int();
    if (value < 0 || value * bytes > this.left) throw wrongFormat(`The .dat file announces ${value} ${what}.`);
    return value;
  }

  /** Reads a column of floats into `out`. */
  column(out: Float32Array, at: number, length: number): void {
    const rows = Math.abs(this.int());
    const columns = Math.abs(this.int());
    if (rows !== length || columns !== 1)
      throw wrongFormat(`The .dat file has a matrix of ${rows}x${columns} where ${length}x1 belongs.`);
    for (let i = 0; i < length; i++) out[at + i] = this.float();
  }
}

/** Compares a size with the size in the first cascade or tree. All cascades and trees must have equal sizes. */
function same(name: string, known: number | null, found: number): number {
  if (known !== null && known !== found)
    throw wrongFormat(`The .dat file's trees differ in their number of ${name}: ${known} and ${found}.`);
  return found;
}

interface DatOptions {
  box?: BoxMap;
  notice?: string;
}

/** Runs a plan to its end without pauses. */
export function withoutPauses<T>(plan: Plan<T>): T {
  for (;;) {
    const { done, value } = plan.next();
    if (done) return value;
  }
}

/** @throws {FoveolaError} 'model-format' */
export const readDat = (bytes: Uint8Array, options?: DatOptions): LandmarkModel =>
  withoutPauses(datPlan(bytes, options));

/** Reads one tree at a time. The model from dlib needs a third of a second, and more than one second on a phone. */
export function* datPlan(bytes: Uint8Array, { box = sameBox, notice = '' }: DatOptions = {}): Plan<LandmarkModel> {
  const from = new DatReader(bytes);
  if (from.int() !== 1) throw wrongFormat('This is not a dlib shape_predictor file of version 1.');
  const rows = Math.abs(from.int());
  const columns = Math.abs(from.int());
  if (columns !== 1 || rows % 2 || rows < 4 || rows > 2000)
    throw wrongFormat(
      `The .dat file has a mean shape of ${rows}x${columns}. It must have x and y of 2 to 1000 points.`,
    );
  const mean = new Float32Array(rows);
  for (let i = 0; i < rows; i++) mean[i] = from.float();
  const points = rows / 2;
  const cascades = from.count('cascades', 8);
  let trees: number | null = null;
  let splitCount: number | null = null;
  let splitPixels = new Uint16Array(0);
  let thresholds = new Float32Array(0);
  let leaves = new Float32Array(0);
  let split = 0;
  let leaf = 0;
  for (let c = 0; c < cascades; c++) {
    trees = same('trees', trees, from.count('trees', 8));
    for (let t = 0; t < trees; t++) {
      splitCount = same('splits', splitCount, from.count('splits', 5));
      const depth = Math.log2(splitCount + 1);
      if (c === 0 && t === 0) {
        checkSizes({ points, cascades, trees, depth, pixels: 2 });
        // Every number needs two bytes or more. A file that could not hold them is rejected before memory is allocated.
        if (cascades * trees * 2 * points * (splitCount + 1) * 2 > from.left)
          throw wrongFormat('The .dat file is cut short, or announces more trees than it holds.');
        splitPixels = new Uint16Array(2 * cascades * trees * splitCount);
        thresholds = new Float32Array(cascades * trees * splitCount);
        leaves = new Float32Array(2 * points * cascades * trees * (splitCount + 1));
      }
      for (let i = 0; i < splitCount; i++, split++) {
        splitPixels[2 * split] = from.int();
        splitPixels[2 * split + 1] = from.int();
        thresholds[split] = from.float();
      }
      same('leaves', splitCount + 1, from.count('leaves', 4));
      for (let i = 0; i <= splitCount; i++, leaf += 2 * points) from.column(leaves, leaf, 2 * points);
      yield* new Turn();
    }
  }
  if (trees === null || splitCount === null) throw wrongFormat('The .dat file has no trees.');
  let pixels: number | null = null;
  const each = (what: string, bytes: number, read: (pixel: number) => void) => {
    same(what, cascades, from.count(what, 1));
    for (let c = 0; c < cascades; c++) {
      const first = pixels === null;
      pixels = same('pixels', pixels, from.count('pixels', bytes));
      if (first) checkSizes({ points, cascades, trees: trees!, depth: 1, pixels });
      for (let i = 0; i < pixels; i++) read(c * pixels + i);
    }
  };
  const anchors: number[] = [];
  const deltas: number[] = [];
  each('lists of anchors', 1, () => anchors.push(from.int()));
  each('lists of deltas', 4, () => deltas.push(from.float(), from.float()));
  if (from.left) throw wrongFormat(`The .dat file has ${from.left} bytes more than a shape_predictor.`);
  if (anchors.some((a) => !(a >= 0 && a < points)) || splitPixels.some((p) => p >= pixels!))
    throw wrongFormat('The .dat file names missing points or pixels.');
  return {
    points,
    cascades,
    trees,
    depth: Math.log2(splitCount + 1),
    pixels: pixels!,
    box,
    mean,
    anchors: Uint16Array.from(anchors),
    deltas: Float32Array.from(deltas),
    splitPixels,
    thresholds,
    leaves,
    notice,
  };
}

/**
 * Position and size of the boxes of dlib's frontal detector, which its models were trained with, relative to the boxes
 * of frontalface_alt. It is the median over 40 frames of two recordings that are not used to measure accuracy. The box
 * for each frame is where the mean shape, moved and scaled, fits the found landmarks best.
 */
export const dlibBox: BoxMap = { x: 0, y: 0.084, size: 0.896 };

/** Reads a file and opens it in the compact form. */
export function* openDat(bytes: Uint8Array): Plan<PackedLandmarks> {
  const model = yield* datPlan(bytes, { box: dlibBox });
  const packed = packLandmarks(model, 'exact');
  yield* new Turn();
  return openLandmarks(packed);
}
