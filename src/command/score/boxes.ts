/** Boxes of faces and tracked objects: overlap, recall, precision, F. */
import { type Box, boxFigures, type BoxScore, meanOverlap, scoreFrames } from '../../node/index.ts';
import { frameOf, numberOf, type Row } from '../rows.ts';
import { fixed, noColumns, percent } from './numbers.ts';

const LIMITS = [0.25, 0.5];
export type { BoxScore };
export const head = [
  ...['', 'boxes', 'given', 'mean overlap'],
  ...LIMITS.flatMap((limit) => [`recall at ${limit}`, `precision at ${limit}`, `F at ${limit}`]),
  'silent',
];

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

/** Only annotated frames count. `first`: number of the first frame in the annotations. */
export function scoreBoxes(results: readonly Row[], truth: readonly Row[], first = 0): BoxScore {
  if (!truth.some(boxOf))
    throw noColumns('boxes', 'frame, x, y, width, height or x1, y1, x2, y2 (no numbers: no target)');
  // If there are no frame numbers, all rows of an annotated photograph belong to its only frame.
  const known = truth.some((row) => 'frame' in row)
    ? byFrame(truth, first)
    : new Map([[0, truth.map(boxOf).filter((b) => b !== null)]]);
  return scoreFrames(byFrame(results), known);
}

export const addBoxes = (a: BoxScore, b: BoxScore): BoxScore => ({
  overlaps: [...a.overlaps, ...b.overlaps],
  given: a.given + b.given,
  empty: a.empty + b.empty,
  silent: a.silent + b.silent,
});

export const boxRow = (name: string, score: BoxScore): string[] => {
  const { overlaps, given, empty, silent } = score;
  return [
    ...[name, String(overlaps.length), String(given), fixed(meanOverlap(score))],
    ...LIMITS.flatMap((limit) => {
      const { hits, f } = boxFigures(score, limit);
      return [percent(hits, overlaps.length), percent(hits, given), fixed(f)];
    }),
    percent(silent, empty),
  ];
};
