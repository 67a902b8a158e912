/**
 * An ensemble of regression trees for landmarks (Kazemi and Sullivan 2014) and its compact form, which the kernel also
 * reads (assembly/faces/landmarks.ts). Leaves are 32-bit floats ('exact'), or integers of 16 or 8 bits with one scale
 * per leaf.
 *
 * Foveola's own models also have a `patch`. The face is first normalized to one size and contrast, and a feature is the
 * mean of a square in this patch. Leaves are coefficients of a shape space instead of points, which makes them a third
 * as large.
 */
import { packModel, unpackModel, wrongFormat } from './container.ts';

export type LeafForm = 'exact' | '16-bit' | '8-bit';

/** Position of the model's boxes relative to the detector's boxes: center and side in sides of the detector's box. */
export interface BoxMap {
  readonly x: number;
  readonly y: number;
  readonly size: number;
}

export const sameBox: BoxMap = { x: 0, y: 0, size: 1 };

/** The patch replaces the image as the source of feature pixels, and its shape space replaces points in the leaves. */
export interface LandmarkPatch {
  /** Side of the patch, and of the box in its middle, in pixels. */
  readonly side: number;
  readonly zoom: number;
  /**
   * Number of cascades that find the pose of the face. The others continue in a patch that is cut out with this pose.
   * 0: all cascades use the first patch.
   */
  readonly first?: number;
  /** For each cascade: reach of the square around a feature pixel, in the patch's pixels. */
  readonly radii: Int32Array;
  /** Directions of the shape space, one after the other, with x and y of each point. */
  readonly basis: Float32Array;
  readonly confidence?: LandmarkConfidence;
}

/**
 * Number of inputs of the confidence in addition to the feature pixels of the last cascade
 * (assembly/faces/landmarks.ts).
 */
export const TRACES = 21;

/** Trees with one number per leaf. Their sum is the log odds that the points of a face are accurate. */
export interface LandmarkConfidence {
  readonly trees: number;
  readonly depth: number;
  /** For each direction of the shape space: weight of the squared distance along it. */
  readonly weights: Float32Array;
  /** The format equals a landmark model's. The traces follow the pixels. */
  readonly splitPixels: Uint16Array;
  readonly thresholds: Float32Array;
  readonly leaves: Float32Array;
}

export interface LandmarkModel {
  readonly points: number;
  readonly cascades: number;
  /** Number of trees in each cascade. */
  readonly trees: number;
  /** Number of splits from root to leaf. */
  readonly depth: number;
  /** Number of feature pixels of each cascade. */
  readonly pixels: number;
  readonly box: BoxMap;
  /** x, y of each point in the unit square of the box. */
  readonly mean: Float32Array;
  /** Point that a feature pixel is anchored to, and its offset from that point in the mean shape. */
  readonly anchors: Uint16Array;
  readonly deltas: Float32Array;
  /** The two pixels that each split compares, and the threshold of their difference. Breadth first. */
  readonly splitPixels: Uint16Array;
  readonly thresholds: Float32Array;
  /** x, y of each point, or coefficients, leaf after leaf, tree after tree. */
  readonly leaves: Float32Array;
  readonly patch?: LandmarkPatch;
  readonly notice: string;
}

/** Models with larger sizes are rejected before memory is allocated. */
const limits = { points: 1000, cascades: 64, trees: 4096, depth: 10, pixels: 8192, numbers: 1 << 25, side: 512 };

export interface LandmarkSizes {
  readonly points: number;
  readonly cascades: number;
  readonly trees: number;
  readonly depth: number;
  readonly pixels: number;
}

/** @throws {FoveolaError} 'model-format' */
export function checkSizes(sizes: LandmarkSizes): void {
  for (const name of ['points', 'cascades', 'trees', 'depth', 'pixels'] as const) {
    const value = sizes[name];
    if (!Number.isInteger(value) || value < (name === 'points' || name === 'pixels' ? 2 : 1) || value > limits[name])
      throw wrongFormat(`The landmark model has ${value} ${name}. The maximum is ${limits[name]}.`);
  }
  const { points, cascades, trees, depth } = sizes;
  if (2 * points * cascades * trees * 2 ** depth > limits.numbers)
    throw wrongFormat('The landmark model has more leaf values than any model in use (34 million).');
}

const WORDS = 16;
/** Far above every number in the models in use. */
const LARGEST = 1e5;
const bytesOf: Readonly<Record<LeafForm, number>> = { exact: 4, '16-bit': 2, '8-bit': 1 };
const formOf = { 4: 'exact', 2: '16-bit', 1: '8-bit' } as const;
const aligned = (n: number) => (n + 15) & ~15;

/** Bytes of a patch before its radii. */
const PATCH_HEAD = 32;

/** Integers at the start of a patch. */
interface PatchSizes {
  /** Number of coefficients per leaf. */
  readonly coefficients: number;
  /** Number of trees of the confidence, and their depth. */
  readonly judges: number;
  readonly judgesDepth: number;
}

/** Byte offsets of the sections of a patch after its head and its radii, and of its end. */
function patchLayout({ points, cascades }: LandmarkSizes, { coefficients, judges, judgesDepth }: PatchSizes): number[] {
  const offsets = [PATCH_HEAD + aligned(4 * cascades)];
  const inner = judges * (2 ** judgesDepth - 1);
  const judged = judges ? [4 * coefficients, 8 * inner, 4 * judges * 2 ** judgesDepth] : [];
  for (const size of [8 * points * coefficients, ...judged]) offsets.push(offsets.at(-1)! + size);
  return offsets;
}

/**
 * Byte offsets of the sections, and of the end. The last section is the patch. It starts with its side, the side of the
 * box, coefficients per leaf, cascades that find the pose of the face, trees of the confidence and their depth, 0, 0.
 * Then come the radii, the basis, and the weights, splits and leaves of the confidence. Word 15 is the patch's offset,
 * or 0 without a patch.
 */
function layout(sizes: LandmarkSizes, bytes: number, patched: PatchSizes): number[] {
  const { points, cascades, trees, depth, pixels } = sizes;
  const { coefficients } = patched;
  const splits = cascades * trees * (2 ** depth - 1);
  const leaves = cascades * trees * 2 ** depth;
  const plain = [8 * points, 2 * cascades * pixels, 8 * cascades * pixels, 8 * splits, bytes === 4 ? 0 : 4 * leaves];
  const patch = coefficients && patchLayout(sizes, patched).at(-1)!;
  const offsets = [4 * WORDS];
  for (const size of [...plain, bytes * (coefficients || 2 * points) * leaves, patch])
    offsets.push(aligned(offsets[offsets.length - 1]! + size));
  return offsets;
}

/** A model in its compact form. The payload is copied to the arena unchanged. */
export interface PackedLandmarks extends LandmarkSizes {
  readonly box: BoxMap;
  readonly form: LeafForm;
  /** Whether the model reads faces from patches. Only WASM supports this. */
  readonly patched: boolean;
  /** Whether the model also reports a confidence for its points. */
  readonly judged: boolean;
  readonly mean: Float32Array;
  readonly payload: Uint8Array;
  readonly notice: string;
}

export function packLandmarks(model: LandmarkModel, form: LeafForm): Uint8Array<ArrayBuffer> {
  checkSizes(model);
  const bytes = bytesOf[form];
  const { patch } = model;
  const coefficients = patch ? patch.basis.length / (2 * model.points) : 0;
  const confidence = patch?.confidence;
  const patched = { coefficients, judges: confidence?.trees ?? 0, judgesDepth: confidence?.depth ?? 0 };
  const offsets = layout(model, bytes, patched);
  const payload = new Uint8Array(offsets[7]!);
  const words = new Uint32Array(payload.buffer, 0, WORDS);
  words.set([model.points, model.cascades, model.trees, model.depth, model.pixels, bytes]);
  words.set(offsets.slice(0, 6), 8);
  // The box map is stored as floats in the two free words and after the offsets.
  new Float32Array(payload.buffer, 24, 2).set([model.box.x, model.box.y]);
  new Float32Array(payload.buffer, 56, 1).set([model.box.size]);
  const put = (section: number, array: ArrayBufferView) =>
    payload.set(new Uint8Array(array.buffer, array.byteOffset, array.byteLength), offsets[section]);
  put(0, model.mean);
  put(1, model.anchors);
  put(2, model.deltas);
  putSplits(model, new DataView(payload.buffer, offsets[3]));
  if (patch) {
    const at = offsets[6]!;
    words[15] = at;
    const { judges, judgesDepth } = patched;
    const head = [patch.side, patch.zoom, coefficients, patch.first ?? 0, judges, judgesDepth];
    new Uint32Array(payload.buffer, at, head.length).set(head);
    new Int32Array(payload.buffer, at + PATCH_HEAD).set(patch.radii);
    const places = patchLayout(model, patched).map((offset) => at + offset);
    new Float32Array(payload.buffer, places[0]).set(patch.basis);
    if (confidence) putConfidence(confidence, payload, places);
  }
  const values = coefficients || 2 * model.points;
  if (form === 'exact') put(5, model.leaves);
  else quantize(model.leaves, values, form, new Float32Array(payload.buffer, offsets[4]), payload, offsets[5]!);
  return packModel('landmarks', payload, model.notice);
}

function putSplits(
  { splitPixels, thresholds }: Pick<LandmarkModel, 'splitPixels' | 'thresholds'>,
  splits: DataView,
): void {
  thresholds.forEach((threshold, i) => {
    splits.setUint16(8 * i, splitPixels[2 * i]!, true);
    splits.setUint16(8 * i + 2, splitPixels[2 * i + 1]!, true);
    splits.setFloat32(8 * i + 4, threshold, true);
  });
}

/** Returns the bytes of a packed model with another confidence. */
export function withConfidence(model: PackedLandmarks, confidence: LandmarkConfidence): Uint8Array<ArrayBuffer> {
  const { payload } = model;
  const view = new DataView(payload.buffer, payload.byteOffset);
  const at = view.getUint32(60, true);
  const patched = {
    coefficients: view.getUint32(at + 8, true),
    judges: confidence.trees,
    judgesDepth: confidence.depth,
  };
  const places = patchLayout(model, patched).map((offset) => at + offset);
  const out = new Uint8Array(aligned(places[4]!));
  out.set(payload.subarray(0, places[1]));
  new Uint32Array(out.buffer, at + 16, 2).set([patched.judges, patched.judgesDepth]);
  putConfidence(confidence, out, places);
  return packModel('landmarks', out, model.notice);
}

function putConfidence(
  confidence: LandmarkConfidence,
  payload: Uint8Array<ArrayBuffer>,
  places: readonly number[],
): void {
  new Float32Array(payload.buffer, places[1]).set(confidence.weights);
  putSplits(confidence, new DataView(payload.buffer, places[2]));
  new Float32Array(payload.buffer, places[3]).set(confidence.leaves);
}

/** Quantizes leaves to integers relative to their largest value. Each number is rounded separately. */
function quantize(
  leaves: Float32Array,
  values: number,
  form: '16-bit' | '8-bit',
  scales: Float32Array,
  payload: Uint8Array,
  at: number,
): void {
  const most = form === '8-bit' ? 127 : 32767;
  const count = leaves.length / values;
  const out =
    form === '8-bit'
      ? new Int8Array(payload.buffer, at, leaves.length)
      : new Int16Array(payload.buffer, at, leaves.length);
  for (let leaf = 0; leaf < count; leaf++) {
    const start = values * leaf;
    let largest = 0;
    for (let i = start; i < start + values; i++) largest = Math.max(largest, Math.abs(leaves[i]!));
    const scale = Math.fround(largest / most);
    scales[leaf] = scale;
    if (scale > 0) for (let i = start; i < start + values; i++) out[i] = Math.round(leaves[i]! / scale);
  }
}

/**
 * Checks and opens the compact form. Numbers are not copied. @throws {FoveolaError} 'model-format', 'model-checksum'
 */
export function openLandmarks(bytes: Uint8Array): PackedLandmarks {
  const { payload: given, notice } = unpackModel(bytes, 'landmarks');
  if (given.length < 4 * WORDS) throw wrongFormat('The landmark model is cut short.');
  // Sections are read as typed arrays, which must be aligned.
  const payload = given.byteOffset % 16 === 0 ? given : given.slice();
  const words = new Uint32Array(payload.buffer, payload.byteOffset, WORDS);
  const [points = 0, cascades = 0, trees = 0, depth = 0, pixels = 0, size = 0] = words;
  const sizes = { points, cascades, trees, depth, pixels };
  checkSizes(sizes);
  const form = formOf[size as 4 | 2 | 1];
  if (!form) throw wrongFormat(`The landmark model has leaves of ${size} bytes. They must have 4, 2 or 1.`);
  const patched = openPatch(payload, sizes, words[15]!);
  const { coefficients, judges } = patched;
  const offsets = layout(sizes, size, patched);
  const placed = offsets.slice(0, 6).every((offset, i) => words[8 + i] === offset);
  if (payload.length !== offsets[7] || !placed || (coefficients && words[15] !== offsets[6]))
    throw wrongFormat(`The landmark model should have ${offsets[7]} bytes but has ${payload.length}.`);
  const floats = (at: number, count: number) => new Float32Array(payload.buffer, payload.byteOffset + at, count);
  const [x = NaN, y = NaN] = floats(24, 2);
  const box = { x, y, size: floats(56, 1)[0]! };
  const mean = floats(offsets[0]!, 2 * sizes.points);
  const finite = (array: Float32Array) => array.every(Number.isFinite);
  if (!finite(mean) || ![x, y].every(Number.isFinite) || !(box.size > 0.01 && box.size < 100))
    throw wrongFormat('The landmark model has no usable mean shape or box.');
  // The kernel uses indices as memory offsets, so none may point outside.
  const anchors = new Uint16Array(payload.buffer, payload.byteOffset + offsets[1]!, sizes.cascades * sizes.pixels);
  if (anchors.some((anchor) => anchor >= sizes.points))
    throw wrongFormat('A feature pixel of the landmark model refers to a missing point.');
  const splits = sizes.cascades * sizes.trees * (2 ** sizes.depth - 1);
  const compares = (at: number, count: number, most: number) => {
    const indices = new Uint16Array(payload.buffer, payload.byteOffset + at, 4 * count);
    for (let i = 0; i < indices.length; i += 4)
      if (indices[i]! >= most || indices[i + 1]! >= most)
        throw wrongFormat('A split of the landmark model compares missing pixels.');
  };
  compares(offsets[3]!, splits, sizes.pixels);
  // All other numbers move points. They must be finite and small, in sides of the box or gray values.
  const usable = (array: Float32Array, step = 1, first = 0) => {
    for (let i = first; i < array.length; i += step) if (!(Math.abs(array[i]!) < LARGEST)) return false;
    return true;
  };
  const leaves = sizes.cascades * sizes.trees * 2 ** sizes.depth;
  const deltas = floats(offsets[2]!, 2 * sizes.cascades * sizes.pixels);
  const values = coefficients || 2 * sizes.points;
  const moves = form === 'exact' ? floats(offsets[5]!, values * leaves) : floats(offsets[4]!, leaves);
  const [basis = 0, weights = 0, judged = 0, last = 0, end = 0] = patchLayout(sizes, patched).map(
    (v) => offsets[6]! + v,
  );
  const judging = () => {
    compares(judged, (last - judged) / 8, sizes.pixels + TRACES);
    return (
      usable(floats(weights, coefficients), 1) &&
      usable(floats(judged, (last - judged) / 4), 2, 1) &&
      usable(floats(last, (end - last) / 4))
    );
  };
  const space = !coefficients || usable(floats(basis, 2 * sizes.points * coefficients));
  if (
    !usable(deltas) ||
    !usable(floats(offsets[3]!, 2 * splits), 2, 1) ||
    !usable(moves) ||
    !space ||
    !(judges ? judging() : true)
  )
    throw wrongFormat('The landmark model has numbers that are not finite or too large.');
  return { ...sizes, box, form, patched: coefficients > 0, judged: judges > 0, mean, payload, notice };
}

/**
 * Checks the patch at `at`. Does nothing for a model without one. The caller checks that the patch is at the right
 * place.
 */
function openPatch(payload: Uint8Array, sizes: LandmarkSizes, at: number): PatchSizes {
  if (at === 0) return { coefficients: 0, judges: 0, judgesDepth: 0 };
  const bad = () => wrongFormat('The landmark model has no usable patch or shape space.');
  const { points, cascades } = sizes;
  if (at % 16 || at + PATCH_HEAD + aligned(4 * cascades) > payload.length) throw bad();
  const head = new Uint32Array(payload.buffer, payload.byteOffset + at, 6);
  const [side = 0, zoom = 0, coefficients = 0, first = 0, judges = 0, judgesDepth = 0] = head;
  const radii = new Int32Array(payload.buffer, payload.byteOffset + at + PATCH_HEAD, cascades);
  if (side > limits.side || zoom < 8 || zoom > side || (side - zoom) % 2 || radii.some((r) => r < 0 || 2 * r >= side))
    throw bad();
  if (coefficients < 1 || coefficients > 2 * points || first > cascades) throw bad();
  if (judges > limits.trees || judgesDepth > limits.depth || Boolean(judges) !== Boolean(judgesDepth)) throw bad();
  const patched = { coefficients, judges, judgesDepth };
  if (at + patchLayout(sizes, patched).at(-1)! > payload.length) throw bad();
  return patched;
}
