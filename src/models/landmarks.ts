/**
 * An ensemble of regression trees for landmarks (Kazemi and Sullivan 2014) and its compact form, which is at the same
 * time what the kernel reads (assembly/faces/landmarks.ts). Leaves are 32-bit floats ('exact'), or numbers of 16 or 8
 * bits with one scale a leaf.
 *
 * Our own models have a `patch` beside: the face is first brought to one size and contrast, a feature is the mean of a
 * square there, and leaves are coefficients of a shape space instead of points, which makes them a third as large.
 */
import { packModel, unpackModel, wrongFormat } from './container.ts';

export type LeafForm = 'exact' | '16-bit' | '8-bit';

/** How the model's boxes lie to those of the detector: center and side in sides of the detector's box. */
export interface BoxMap {
  readonly x: number;
  readonly y: number;
  readonly size: number;
}

export const sameBox: BoxMap = { x: 0, y: 0, size: 1 };

/** What feature pixels are read from instead of the image, and what leaves are instead of points. */
export interface LandmarkPatch {
  /** Pixels of a side of the patch, and of the box in its middle. */
  readonly side: number;
  readonly zoom: number;
  /** So many cascades find how the face lies, the others go on in the face cut out by that; 0: all of them begin there again. */
  readonly first?: number;
  /** Of each cascade: how far the square about a feature pixel reaches, in the patch's pixels. */
  readonly radii: Int32Array;
  /** Directions of the shape space, x and y of each point, one after the other. */
  readonly basis: Float32Array;
  readonly confidence?: LandmarkConfidence;
}

/** Numbers beside the feature pixels of the last cascade that the confidence is computed from (assembly/faces/landmarks.ts). */
export const TRACES = 21;

/** Trees of one number a leaf: their sum is the logarithm of the odds that a face's points lie well. */
export interface LandmarkConfidence {
  readonly trees: number;
  readonly depth: number;
  /** Of each direction of the shape space: how much the square of a way along it counts. */
  readonly weights: Float32Array;
  /** As of a landmark model; after the pixels come the traces. */
  readonly splitPixels: Uint16Array;
  readonly thresholds: Float32Array;
  readonly leaves: Float32Array;
}

export interface LandmarkModel {
  readonly points: number;
  readonly cascades: number;
  /** In each cascade. */
  readonly trees: number;
  /** Splits from root to leaf. */
  readonly depth: number;
  /** Feature pixels of each cascade. */
  readonly pixels: number;
  readonly box: BoxMap;
  /** x, y of each point in the unit square of the box. */
  readonly mean: Float32Array;
  /** Point that a feature pixel hangs on, and where it lies from there in the mean shape. */
  readonly anchors: Uint16Array;
  readonly deltas: Float32Array;
  /** Pixels that a split compares, two each, and the threshold of their difference; breadth first. */
  readonly splitPixels: Uint16Array;
  readonly thresholds: Float32Array;
  /** x, y of each point, or coefficients, leaf after leaf, tree after tree. */
  readonly leaves: Float32Array;
  readonly patch?: LandmarkPatch;
  readonly notice: string;
}

/** Sizes beyond these are refused before memory is taken. */
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
/** No number of a model in use comes near it. */
const LARGEST = 1e5;
const bytesOf: Readonly<Record<LeafForm, number>> = { exact: 4, '16-bit': 2, '8-bit': 1 };
const formOf = { 4: 'exact', 2: '16-bit', 1: '8-bit' } as const;
const aligned = (n: number) => (n + 15) & ~15;

/** Bytes of a patch before its radii. */
const PATCH_HEAD = 32;

/** Whole numbers that a patch begins with. */
interface PatchSizes {
  /** Of a leaf. */
  readonly coefficients: number;
  /** Trees of the confidence, and their depth. */
  readonly judges: number;
  readonly judgesDepth: number;
}

/** Byte offsets of what a patch has behind its head and its radii, and its end. */
function patchLayout({ points, cascades }: LandmarkSizes, { coefficients, judges, judgesDepth }: PatchSizes): number[] {
  const offsets = [PATCH_HEAD + aligned(4 * cascades)];
  const inner = judges * (2 ** judgesDepth - 1);
  const judged = judges ? [4 * coefficients, 8 * inner, 4 * judges * 2 ** judgesDepth] : [];
  for (const size of [8 * points * coefficients, ...judged]) offsets.push(offsets.at(-1)! + size);
  return offsets;
}

/**
 * Byte offsets of the sections, and of the end. The last section is the patch: its side, that of the box, coefficients of a
 * leaf, cascades that find how the face lies, trees of the confidence and their depth, 0, 0; the radii; the basis; weights,
 * splits and leaves of the confidence. Word 15 says where, or 0 where a model has none.
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

/** A model in its compact form; the payload goes to the arena as it is. */
export interface PackedLandmarks extends LandmarkSizes {
  readonly box: BoxMap;
  readonly form: LeafForm;
  /** Whether faces are read from patches: WASM alone does that. */
  readonly patched: boolean;
  /** Whether it tells how far its points are to be trusted. */
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
  // The box map stands in the two free words and behind the offsets: all of it as floats.
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

/** The bytes of a packed model with another confidence. */
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

/** Leaves as whole numbers of their largest value's share; the rounding is that of each number alone. */
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

/** Checks and opens the compact form; numbers stay where they are. @throws {FoveolaError} 'model-format', 'model-checksum' */
export function openLandmarks(bytes: Uint8Array): PackedLandmarks {
  const { payload: given, notice } = unpackModel(bytes, 'landmarks');
  if (given.length < 4 * WORDS) throw wrongFormat('The landmark model is cut short.');
  // Sections are read as typed arrays, which need their alignment.
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
  // Indices lead the kernel into memory: none may point outside.
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
  // Whatever else is a number moves points: it must be one, and small, in sides of the box or levels of gray.
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

/** Checks the patch at `at`; of a model without one nothing. Whether it is where it should be is seen afterwards. */
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
