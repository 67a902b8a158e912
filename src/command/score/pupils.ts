/** Pupils: distance of the centers, error of the diameter, and true negative rate for frames without a pupil. */
import { FoveolaError } from '../../node/index.ts';
import { frameOf, numberOf, type Row } from '../rows.ts';
import { fixed, noColumns, percent, quantile } from './accuracy.ts';

const LIMITS = [1, 2, 3, 5, 10];
export const head = [
  '',
  'frames',
  'found',
  ...LIMITS.map((limit) => `<= ${limit} px`),
  'median px',
  'diameter px',
  'silent',
];

const xs = ['cx', 'center_x', 'x', 'ellipseX', 'ellipse_x', 'circle_cx'];
const ys = ['cy', 'center_y', 'y', 'ellipseY', 'ellipse_y', 'circle_cy'];
const diameters = ['diameter', 'diameter_px'];
const radii = ['semi_major', 'r', 'radius', 'circle_r'];

export interface PupilScore {
  centers: number[];
  diameters: number[];
  present: number;
  found: number;
  absent: number;
  silent: number;
}

const no = (value: unknown) => value === 0 || value === false || /^(false|no|0)$/i.test(String(value));

/** Suffixes of the columns of each pupil in their order, if a row has two. Otherwise empty. */
const suffixesOf = (row: Row | undefined): string[] =>
  Object.keys(row ?? {}).flatMap((name) => /^center_x(_\w+)$/.exec(name)?.[1] ?? []);

const isSide = (eye: unknown) => eye === 'left' || eye === 'right';

/**
 * The pupil that an annotation refers to: 0 and 1 are its position in the image, left and right are the person's eye.
 * NaN: an eye that the results do not contain.
 * @param sides of the pupils of the results
 * @param named eyes in all annotations
 */
function pupilOf(eye: unknown, sides: readonly unknown[], named: ReadonlySet<unknown>): number {
  if (!isSide(eye)) return eye === 1 || eye === '1' ? 1 : 0;
  const index = sides.indexOf(eye);
  if (index >= 0) return index;
  if (sides.length < 2 && sides.some(isSide)) return NaN;
  if (sides.length < 2 && named.size < 2) return 0; // both contain the only eye
  throw new FoveolaError(
    'invalid-argument',
    'The annotations name left and right eyes, but the results do not. Set `view` (two eyes) or `eye` (one eye) in the parameters of `foveola pupil`, or name the pupils 0 and 1.',
  );
}

/**
 * Compares frames that both contain. With two eyes, column `eye` selects one: 0 and 1 by its position in the image,
 * left and right by the person's eye. `first`: number of the first frame in the annotations. A frame without a center,
 * or with `present` false, has no pupil.
 */
export function scorePupils(results: readonly Row[], truth: readonly Row[], first = 0): PupilScore {
  if (!truth.some((row) => Number.isFinite(numberOf(row, xs))))
    throw noColumns('center of a pupil', 'frame, x, y and, where it is known, diameter');
  // With two eyes, a CSV has each column twice, and other tables have one row per eye.
  const suffixes = suffixesOf(results[0]);
  const indexOf = (row: Row) => Number(row['pupil'] ?? (typeof row['eye'] === 'number' ? row['eye'] : 0));
  const byFrame = new Map(results.map((row) => [`${row['frame']} ${indexOf(row)}`, row]));
  const sides: unknown[] = suffixes.map((suffix) => suffix.slice(1));
  if (!sides.length) for (const row of results) sides[indexOf(row)] ??= row['eye'];
  const score: PupilScore = { centers: [], diameters: [], present: 0, found: 0, absent: 0, silent: 0 };
  const named = new Set(truth.map((row) => row['eye']).filter(isSide));
  truth.forEach((row, i) => {
    const pupil = pupilOf(row['eye'], sides, named);
    const result = byFrame.get(`${frameOf(row, i, first)} ${suffixes.length ? 0 : pupil}`);
    if (!result) return;
    const side = suffixes[pupil] ?? '';
    const own = (names: readonly string[]) =>
      numberOf(
        result,
        names.map((name) => name + side),
      );
    const found = !no(result[`found${side}`] ?? 1) && Number.isFinite(own(xs));
    const [x, y] = [numberOf(row, xs), numberOf(row, ys)];
    if (no(row['present'] ?? 1) || !Number.isFinite(x)) {
      score.absent++;
      if (!found) score.silent++;
      return;
    }
    score.present++;
    if (!found) return void score.centers.push(Infinity);
    score.found++;
    score.centers.push(Math.hypot(own(xs) - x, own(ys) - y));
    const known = numberOf(row, diameters);
    const diameter = Number.isFinite(known) ? known : 2 * numberOf(row, radii);
    const measured = own(diameters);
    if (Number.isFinite(diameter) && Number.isFinite(measured)) score.diameters.push(Math.abs(measured - diameter));
  });
  return score;
}

export const addPupils = (a: PupilScore, b: PupilScore): PupilScore => ({
  centers: [...a.centers, ...b.centers],
  diameters: [...a.diameters, ...b.diameters],
  present: a.present + b.present,
  found: a.found + b.found,
  absent: a.absent + b.absent,
  silent: a.silent + b.silent,
});

/** A frame without a detection counts as a miss. */
export const pupilRow = (
  name: string,
  { centers, diameters: errors, present, found, absent, silent }: PupilScore,
): string[] => [
  ...[name, String(present), percent(found, present)],
  ...LIMITS.map((limit) => percent(centers.filter((error) => error <= limit).length, present)),
  ...[fixed(quantile(centers.filter(Number.isFinite), 0.5)), fixed(quantile(errors, 0.5)), percent(silent, absent)],
];
