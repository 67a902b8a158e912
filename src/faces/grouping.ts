/**
 * Groups windows to faces (thesis, section 4.2.5). Windows that overlap are neighbors. Windows with too few neighbors
 * are dropped. Each connected group is one face, the mean of its windows. The thesis's text drops a window permanently,
 * but its shader lets the search include it again. This code follows the text.
 *
 * The alternative is OpenCV's groupRectangles. Windows with nearly the same position and size are connected. Small
 * groups are dropped, and so are groups inside a larger one.
 */
import { roundEven } from '../image/numbers.ts';
import type { Box, ResultBackend } from '../results/types.ts';
import type { Plan } from '../runtime/wasm/kernel-step.ts';
import type { Block, Scope } from '../runtime/scope.ts';
import { defineStage } from '../runtime/stage.ts';
import { detectionParameters } from './parameters.ts';

export interface FaceBox extends Box {
  /** Number of its windows. */
  neighbors: number;
  /**
   * 0..1: probability that it is a face. By default, the share of such boxes that are faces (docs/models.md). Present
   * if a second cascade was used.
   */
  score?: number;
  /** Turn of the head in the image, clockwise, in radians. Present with variant 'network'. */
  roll?: number;
  /** x, y of both eyes, the nose tip and both corners of the mouth, left to right. Present with variant 'network'. */
  points?: Float32Array;
  /** Backend that computed it, or both, in a result of the engine. */
  backend?: ResultBackend;
}

export type Grouping = 'overlap' | 'similarity';

/** Left and right of the empty windows after the last one. */
const FAR = 100_000_000;

/** The windows in the format of the kernels. */
function boxesOf(scope: Scope, windows: Int32Array): { boxes: Block; pitch: number } {
  const count = windows.length / 4;
  const pitch = (4 * count + 15) & ~15;
  const boxes = scope.block(4 * pitch);
  const words = scope.arena.i32;
  words.fill(FAR, boxes.address >> 2, (boxes.address >> 2) + pitch);
  for (let i = 0, at = boxes.address >> 2, p = pitch >> 2; i < count; i++, at++) {
    words[at] = windows[4 * i]!;
    words[at + p] = windows[4 * i + 1]!;
    words[at + 2 * p] = windows[4 * i]! + windows[4 * i + 2]!;
    words[at + 3 * p] = windows[4 * i + 1]! + windows[4 * i + 3]!;
  }
  return { boxes, pitch };
}

const wordsAt = ({ arena }: Scope, { address }: Block, count: number): Int32Array<ArrayBuffer> =>
  arena.i32.slice(address >> 2, (address >> 2) + count) as Int32Array<ArrayBuffer>;

/** Number of neighbors of each window, including itself. */
function* degreesOf(scope: Scope, windows: Int32Array, similarly: boolean): Plan<Int32Array> {
  return yield* scope.part(function* (inner) {
    const count = windows.length / 4;
    const degrees = inner.block(4 * count);
    const given = { ...boxesOf(inner, windows), degrees, count, similarly };
    yield* inner.kernels.groupDegrees(given, { rows: count, cost: count });
    return wordsAt(inner, degrees, count);
  });
}

/** The adjacency lists, which belong to the scope: the start of each window's list, and the lists. */
function* listsOf(
  scope: Scope,
  windows: Int32Array,
  degrees: Int32Array,
  similarly: boolean,
): Plan<{ offsets: Block; list: Block; length: number }> {
  const count = degrees.length;
  const starts = new Int32Array(count + 1);
  degrees.forEach((degree, i) => (starts[i + 1] = starts[i]! + degree));
  const offsets = scope.table(starts);
  const list = scope.block(4 * (starts[count]! + 4));
  const given = { ...boxesOf(scope, windows), offsets, list, count, similarly };
  yield* scope.kernels.groupLists(given, { rows: count, cost: count });
  return { offsets, list, length: starts[count]! };
}

/**
 * Makes the adjacency lists and frees them. Returns their total length, including the windows themselves. For
 * benchmarks.
 */
export function* listNeighbors(scope: Scope, windows: Int32Array): Plan<number> {
  const degrees = yield* degreesOf(scope, windows, false);
  return (yield* scope.part((inner) => listsOf(inner, windows, degrees, false))).length;
}

/** The cluster number of each window, in the order of their first windows. */
function* searchOf(scope: Scope, windows: Int32Array, degrees: Int32Array, similarly: boolean): Plan<Int32Array> {
  return yield* scope.part(function* (inner) {
    const count = degrees.length;
    const { offsets, list } = yield* listsOf(inner, windows, degrees, similarly);
    const clusters = inner.block(4 * count);
    yield* inner.kernels.groupSearch({ offsets, list, clusters, count });
    return wordsAt(inner, clusters, count);
  });
}

/** Clusters of windows: the numbers of their members, in the order of their first members. */
function* clustersOf(scope: Scope, windows: Int32Array, similarly: boolean, minimum: number): Plan<number[][]> {
  let degrees = yield* degreesOf(scope, windows, similarly);
  let kept: number[] | null = null;
  let rest = windows;
  if (degrees.some((degree) => degree <= minimum)) {
    kept = [];
    for (let i = 0; i < degrees.length; i++) if (degrees[i]! > minimum) kept.push(i);
    if (!kept.length) return [];
    rest = new Int32Array(4 * kept.length);
    kept.forEach((i, k) => rest.set(windows.subarray(4 * i, 4 * i + 4), 4 * k));
    degrees = yield* degreesOf(scope, rest, similarly);
  }
  const members: number[][] = [];
  (yield* searchOf(scope, rest, degrees, similarly)).forEach((cluster, i) =>
    (members[cluster] ??= []).push(kept ? kept[i]! : i),
  );
  return members;
}

function meanOf(windows: Int32Array, members: readonly number[]): FaceBox {
  const n = members.length;
  const [x, y, width, height] = sumOf(windows, members);
  return { x: x / n, y: y / n, width: width / n, height: height / n, neighbors: n };
}

/** Mean in 32-bit floats, rounded to integer pixels, like in OpenCV. */
function roundedMean(windows: Int32Array, members: readonly number[]): FaceBox {
  const factor = Math.fround(1 / members.length);
  const mean = sumOf(windows, members).map((sum) => roundEven(Math.fround(sum * factor)));
  return { x: mean[0]!, y: mean[1]!, width: mean[2]!, height: mean[3]!, neighbors: members.length };
}

function sumOf(windows: Int32Array, members: readonly number[]): [number, number, number, number] {
  let [x, y, width, height] = [0, 0, 0, 0];
  for (const m of members) {
    x += windows[4 * m]!;
    y += windows[4 * m + 1]!;
    width += windows[4 * m + 2]!;
    height += windows[4 * m + 3]!;
  }
  return [x, y, width, height];
}

/**
 * Groups windows (x, y, width, height each) to faces. `minNeighbors` is the number of other windows that a window needs
 * to count ('overlap'), or the number of windows minus one that a face needs ('similarity'). 0 returns every window
 * unchanged.
 */
export function* groupWindows(
  scope: Scope,
  windows: Int32Array,
  grouping: Grouping,
  minNeighbors: number,
): Plan<FaceBox[]> {
  if (!windows.length) return [];
  if (minNeighbors === 0) return Array.from({ length: windows.length / 4 }, (_, i) => meanOf(windows, [i]));
  if (grouping === 'overlap') {
    const clusters = yield* clustersOf(scope, windows, false, minNeighbors);
    return clusters.map((members) => meanOf(windows, members));
  }
  const boxes = (yield* clustersOf(scope, windows, true, 0)).map((members) => roundedMean(windows, members));
  const enough = boxes.filter(({ neighbors }) => neighbors > minNeighbors);
  return enough.filter((own) => !enough.some((other) => other !== own && swallows(other, own)));
}

/** Returns all groups by OpenCV's rule, including single windows. */
export function* groupAll(scope: Scope, windows: Int32Array): Plan<FaceBox[]> {
  if (!windows.length) return [];
  return (yield* clustersOf(scope, windows, true, 0)).map((members) => roundedMean(windows, members));
}

/** Faces as a list: x, y, width, height, neighbors and score (NaN: none) of each. */
export const listOfFaces = (faces: readonly FaceBox[]): Float64Array =>
  Float64Array.from(
    faces.flatMap(({ x, y, width, height, neighbors, score = NaN }) => [x, y, width, height, neighbors, score]),
  );

export const facesOfList = (list: Float64Array): FaceBox[] =>
  Array.from({ length: list.length / 6 }, (_, i) => {
    const [x, y, width, height, neighbors, score] = list.subarray(6 * i) as unknown as [number, number, number, number, number, number]; // prettier-ignore
    return { x, y, width, height, neighbors, ...(!Number.isNaN(score) && { score }) };
  });

export const windowGroups = defineStage({
  name: 'faces/grouping',
  params: { grouping: detectionParameters.grouping, minNeighbors: detectionParameters.minNeighbors },
  inputs: ['i32[]'],
  outputs: ['f64[]'],
  tolerance: 0,
  wasmOnly: 'A breadth-first search over a few thousand windows at most is serial.',
  *wasm(scope, [windows], { grouping, minNeighbors }) {
    return [listOfFaces(yield* groupWindows(scope, windows, grouping, minNeighbors))];
  },
});

/** OpenCV's rule for a small group inside a larger one. */
function swallows(other: FaceBox, own: FaceBox): boolean {
  const dx = roundEven(other.width * 0.2);
  const dy = roundEven(other.height * 0.2);
  return (
    own.x >= other.x - dx &&
    own.y >= other.y - dy &&
    own.x + own.width <= other.x + other.width + dx &&
    own.y + own.height <= other.y + other.height + dy &&
    (other.neighbors > Math.max(3, own.neighbors) || own.neighbors < 3)
  );
}
