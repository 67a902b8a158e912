/** Accuracy of boxes and masks: overlap, recall and precision, as shares with their intervals. */
import {
  FoveolaError,
  type Box,
  boxFigures,
  type BoxScore,
  meanOverlap,
  scoreFrames,
  readImage,
  type GrayImage,
} from '../../node/index.ts';
import { frameOf, numberOf, type Row } from '../rows.ts';

/** Shares with their intervals, and quantiles. */

/** Wilson's interval of a share, 95 %. */
export function interval(hits: number, of: number): [low: number, high: number] {
  if (!of) return [NaN, NaN];
  const z = 1.96;
  const p = hits / of;
  const middle = p + (z * z) / (2 * of);
  const spread = z * Math.sqrt((p * (1 - p)) / of + (z * z) / (4 * of * of));
  const scale = 1 + (z * z) / of;
  return [(middle - spread) / scale, (middle + spread) / scale];
}

export const percent = (hits: number, of: number): string => {
  if (!of) return '-';
  const [low, high] = interval(hits, of).map((value) => (100 * value).toFixed(0));
  return `${((100 * hits) / of).toFixed(1)} % (${low} to ${high})`;
};

export function quantile(values: readonly number[], share: number): number {
  if (!values.length) return NaN;
  const sorted = [...values].sort((a, b) => a - b);
  const at = share * (sorted.length - 1);
  const low = sorted[Math.floor(at)]!;
  return low + (at - Math.floor(at)) * (sorted[Math.ceil(at)]! - low);
}

export const fixed = (value: number, digits = 2): string => (Number.isFinite(value) ? value.toFixed(digits) : '-');

export const noColumns = (what: string, names: string): FoveolaError =>
  new FoveolaError('invalid-argument', `The annotations have no ${what}. Required columns: ${names}.`);

/** Boxes of faces and tracked objects: overlap, recall, precision, F. */

const LIMITS = [0.25, 0.5];
export type { BoxScore };
export const boxHead = [
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

/** Vessel masks compared with annotated ones: each pixel counts, within the field of view if its mask is available. */

export const maskHead = ['', 'accuracy', 'sensitivity', 'specificity', 'precision', 'Dice'];

export interface MaskScore {
  both: number;
  missed: number;
  wrong: number;
  neither: number;
}

/** Samples of a mask: gray unchanged, or the red channel of a color image. */
async function samplesOf(file: string): Promise<GrayImage> {
  const { image } = await readImage(file);
  const { width, height, data } = image;
  const step = data.length / (width * height);
  return { width, height, data: Uint8Array.from({ length: width * height }, (_, i) => data[i * step]!) };
}

export async function scoreMasks(result: string, truth: string): Promise<MaskScore> {
  const [own, known] = await Promise.all([samplesOf(result), samplesOf(truth)]);
  if (own.width !== known.width || own.height !== known.height)
    throw new FoveolaError(
      'invalid-argument',
      `The mask ${truth} has ${known.width}x${known.height} pixels, the result ${own.width}x${own.height}. Annotate the image at its original size.`,
    );
  const score: MaskScore = { both: 0, missed: 0, wrong: 0, neither: 0 };
  for (let i = 0; i < own.data.length; i++) {
    const [a, b] = [own.data[i]! > 127, known.data[i]! > 127];
    score[a ? (b ? 'both' : 'wrong') : b ? 'missed' : 'neither']++;
  }
  return score;
}

export const addMasks = (a: MaskScore, b: MaskScore): MaskScore => ({
  both: a.both + b.both,
  missed: a.missed + b.missed,
  wrong: a.wrong + b.wrong,
  neither: a.neither + b.neither,
});

export const maskRow = (name: string, { both, missed, wrong, neither }: MaskScore): string[] => [
  name,
  ...[
    (both + neither) / (both + missed + wrong + neither),
    both / (both + missed),
    neither / (neither + wrong),
    both / (both + wrong),
    (2 * both) / (2 * both + missed + wrong),
  ].map((value) => fixed(value, 4)),
];
