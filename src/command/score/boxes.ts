/** Boxes of faces and tracked objects: overlap, recall, precision, F. */
import { overlap, type Box } from '../../node/index.ts';
import { frameOf, numberOf, type Row } from '../rows.ts';
import { fixed, noColumns, percent } from './numbers.ts';

const LIMITS = [0.25, 0.5];
export const head = [
  ...['', 'boxes', 'given', 'mean overlap'],
  ...LIMITS.flatMap((limit) => [`recall at ${limit}`, `precision at ${limit}`, `F at ${limit}`]),
  'silent',
];

export interface BoxScore {
  /** Of the overlap of each annotated box with the result given to it, 0 where there is none. */
  overlaps: number[];
  given: number;
  /** Frames without an object, and those of them without a result. */
  empty: number;
  silent: number;
}

/** Their names in annotations. */
const sides = [
  ['x', 'left'],
  ['y', 'top'],
  ['width', 'w'],
  ['height', 'h'],
];
const corners = [['x1'], ['y1'], ['x2'], ['y2']];
function boxOf(row: Row): Box | null {
  const numbers = (names: readonly (readonly string[])[]) =>
    names.map((one) => numberOf(row, one)) as [number, number, number, number];
  const [x1, y1, x2, y2] = numbers(corners);
  const [x, y, width, height] = Number.isFinite(x1 + y1 + x2 + y2) ? [x1, y1, x2 - x1, y2 - y1] : numbers(sides);
  return Number.isFinite(x + y + width + height) ? { x, y, width, height } : null;
}

function byFrame(rows: readonly Row[], first = 0): Map<unknown, Box[]> {
  const frames = new Map<unknown, Box[]>();
  rows.forEach((row, i) => {
    const frame = frameOf(row, i, first);
    const boxes = frames.get(frame) ?? [];
    const box = boxOf(row);
    if (box) boxes.push(box);
    frames.set(frame, boxes);
  });
  return frames;
}

/** The frames that are annotated; `first`: the number of the first one in the annotations. Boxes are given to each other by falling overlap, each once. */
export function scoreBoxes(results: readonly Row[], truth: readonly Row[], first = 0): BoxScore {
  if (!truth.some(boxOf))
    throw noColumns('boxes', 'frame, x, y, width, height or x1, y1, x2, y2; without numbers: nothing there');
  // Without frames the rows of an annotated photograph are all in its one frame.
  const known = truth.some((row) => 'frame' in row)
    ? byFrame(truth, first)
    : new Map([[0, truth.map(boxOf).filter((b) => b !== null)]]);
  const found = byFrame(results);
  const score: BoxScore = { overlaps: [], given: 0, empty: 0, silent: 0 };
  for (const [frame, boxes] of known) {
    const own = found.get(frame) ?? [];
    score.given += own.length;
    if (!boxes.length) {
      score.empty++;
      if (!own.length) score.silent++;
    }
    const pairs = boxes.flatMap((box, i) => own.map((other, j) => ({ i, j, value: overlap(box, other) })));
    const taken = new Map<number, number>();
    const used = new Set<number>();
    for (const { i, j, value } of pairs.sort((a, b) => b.value - a.value)) {
      if (value === 0 || taken.has(i) || used.has(j)) continue;
      taken.set(i, value);
      used.add(j);
    }
    boxes.forEach((_, i) => score.overlaps.push(taken.get(i) ?? 0));
  }
  return score;
}

export const addBoxes = (a: BoxScore, b: BoxScore): BoxScore => ({
  overlaps: [...a.overlaps, ...b.overlaps],
  given: a.given + b.given,
  empty: a.empty + b.empty,
  silent: a.silent + b.silent,
});

export const boxRow = (name: string, { overlaps, given, empty, silent }: BoxScore): string[] => [
  ...[name, String(overlaps.length), String(given)],
  fixed(overlaps.reduce((sum, value) => sum + value, 0) / overlaps.length),
  ...LIMITS.flatMap((limit) => {
    const hits = overlaps.filter((value) => value >= limit).length;
    return [percent(hits, overlaps.length), percent(hits, given), fixed((2 * hits) / (overlaps.length + given))];
  }),
  percent(silent, empty),
];
