/**
 * From windows to faces (thesis, section 4.2.5): windows that overlap are neighbours; those with too few neighbours are
 * dropped; what hangs together is one face, the mean of its windows. The thesis's text drops a window for good, its
 * shader lets the search pick it up again: here the text decides.
 *
 * The alternative is OpenCV's groupRectangles: windows of nearly the same place and size hang together, small groups
 * are dropped, and so are groups within a larger one.
 */
import { roundEven } from '../image/numbers.ts';
import type { Box } from '../results/types.ts';
import type { WasmSide } from '../runtime/wasm-side.ts';

export interface FaceBox extends Box {
  /** Windows that it is made of. */
  neighbors: number;
  /** 0..1: how sure that it is a face; where a second cascade was asked. */
  score?: number;
}

export type Grouping = 'overlap' | 'similarity';

/** Left and right of the empty windows behind the last one. */
const FAR = 100_000_000;

/** Runs `body` with the windows as the kernels take them. */
function withBoxes<T>(side: WasmSide, windows: Int32Array, body: (boxes: number, pitch: number) => T): T {
  const count = windows.length / 4;
  const pitch = (4 * count + 15) & ~15;
  return side.temporary(4 * pitch, (boxes) => {
    const words = side.arena.i32;
    words.fill(FAR, boxes >> 2, (boxes >> 2) + pitch);
    for (let i = 0, at = boxes >> 2, p = pitch >> 2; i < count; i++, at++) {
      words[at] = windows[4 * i]!;
      words[at + p] = windows[4 * i + 1]!;
      words[at + 2 * p] = windows[4 * i]! + windows[4 * i + 2]!;
      words[at + 3 * p] = windows[4 * i + 1]! + windows[4 * i + 3]!;
    }
    return body(boxes, pitch);
  });
}

/** How many windows are neighbours of each, itself included. */
function degreesOf(side: WasmSide, windows: Int32Array, similarly: number): Int32Array {
  const count = windows.length / 4;
  return withBoxes(side, windows, (boxes, pitch) =>
    side.temporary(4 * count, (at) => {
      side.bands('groupDegrees', count, [boxes, pitch, at, count, similarly]);
      return side.arena.i32.slice(at >> 2, (at >> 2) + count);
    }),
  );
}

/** Runs `body` with the adjacency lists on the arena: where each window's list starts, and the lists. */
function withLists<T>(
  side: WasmSide,
  windows: Int32Array,
  degrees: Int32Array,
  similarly: number,
  body: (starts: number, list: number, length: number) => T,
): T {
  const count = degrees.length;
  const offsets = new Int32Array(count + 1);
  degrees.forEach((degree, i) => (offsets[i + 1] = offsets[i]! + degree));
  return withBoxes(side, windows, (boxes, pitch) =>
    side.temporary(4 * (count + 1), (starts) =>
      side.temporary(4 * (offsets[count]! + 4), (list) => {
        side.arena.i32.set(offsets, starts >> 2);
        side.bands('groupLists', count, [boxes, pitch, starts, list, count, similarly]);
        return body(starts, list, offsets[count]!);
      }),
    ),
  );
}

/** Makes the adjacency lists and lets go of them: the length of all together, themselves included; for benchmarks. */
export function listNeighbors(side: WasmSide, windows: Int32Array): number {
  return withLists(side, windows, degreesOf(side, windows, 0), 0, (_starts, _list, length) => length);
}

/** The number of each window's cluster, in the order of their first windows. */
function searchOf(side: WasmSide, windows: Int32Array, degrees: Int32Array, similarly: number): Int32Array {
  const count = degrees.length;
  return withLists(side, windows, degrees, similarly, (starts, list) =>
    side.temporary(4 * count, (out) => {
      side.once('groupSearch', [starts, list, out, count], 4 * count);
      return side.arena.i32.slice(out >> 2, (out >> 2) + count);
    }),
  );
}

/** Clusters of windows: their members' numbers, in the order of their first members. */
function clustersOf(side: WasmSide, windows: Int32Array, similar: boolean, minimum: number): number[][] {
  const similarly = similar ? 1 : 0;
  let degrees = degreesOf(side, windows, similarly);
  let kept: number[] | null = null;
  let rest = windows;
  if (degrees.some((degree) => degree <= minimum)) {
    kept = [];
    for (let i = 0; i < degrees.length; i++) if (degrees[i]! > minimum) kept.push(i);
    if (!kept.length) return [];
    rest = new Int32Array(4 * kept.length);
    kept.forEach((i, k) => rest.set(windows.subarray(4 * i, 4 * i + 4), 4 * k));
    degrees = degreesOf(side, rest, similarly);
  }
  const members: number[][] = [];
  searchOf(side, rest, degrees, similarly).forEach((cluster, i) => (members[cluster] ??= []).push(kept ? kept[i]! : i));
  return members;
}

function meanOf(windows: Int32Array, members: readonly number[]): FaceBox {
  const n = members.length;
  const [x, y, width, height] = sumOf(windows, members);
  return { x: x / n, y: y / n, width: width / n, height: height / n, neighbors: n };
}

/** The mean in 32-bit floats, rounded to whole pixels, as OpenCV has it. */
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
 * Faces from windows (x, y, width, height each). `minNeighbors`: other windows that a window needs to count ('overlap'),
 * or windows less one that a face needs ('similarity'); 0 gives every window as it is.
 */
export function groupWindows(side: WasmSide, windows: Int32Array, grouping: Grouping, minNeighbors: number): FaceBox[] {
  if (!windows.length) return [];
  if (minNeighbors === 0) return Array.from({ length: windows.length / 4 }, (_, i) => meanOf(windows, [i]));
  if (grouping === 'overlap')
    return clustersOf(side, windows, false, minNeighbors).map((members) => meanOf(windows, members));
  const boxes = clustersOf(side, windows, true, 0).map((members) => roundedMean(windows, members));
  const enough = boxes.filter(({ neighbors }) => neighbors > minNeighbors);
  return enough.filter((own) => !enough.some((other) => other !== own && swallows(other, own)));
}

/** OpenCV's rule for a small group within a larger one. */
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
