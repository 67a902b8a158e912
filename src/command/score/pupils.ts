/** Pupils: distance of the centers, error of the diameter, silence where there is no pupil. */
import { frameOf, numberOf, type Row } from '../rows.ts';
import { fixed, noColumns, percent, quantile } from './numbers.ts';

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

/**
 * Frames that both name, and of two eyes the one that column `eye` names (0 or left, 1 or right); `first`: the number of
 * the first frame in the annotations. A frame without a center, or with `present` false, has no pupil.
 */
export function scorePupils(results: readonly Row[], truth: readonly Row[], first = 0): PupilScore {
  if (!truth.some((row) => Number.isFinite(numberOf(row, xs))))
    throw noColumns('center of a pupil', 'frame, x, y and, where it is known, diameter');
  // Of two eyes a CSV has each column twice, other tables a row an eye.
  const pair = results.some((row) => 'center_x_left' in row);
  const byFrame = new Map(results.map((row) => [`${row['frame']} ${row['eye'] ?? 0}`, row]));
  const score: PupilScore = { centers: [], diameters: [], present: 0, found: 0, absent: 0, silent: 0 };
  truth.forEach((row, i) => {
    const right = row['eye'] === 1 || row['eye'] === 'right';
    const result = byFrame.get(`${frameOf(row, i, first)} ${right && !pair ? 1 : 0}`);
    if (!result) return;
    const side = pair ? (right ? '_right' : '_left') : '';
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

/** A frame on which nothing is found counts as a miss. */
export const pupilRow = (
  name: string,
  { centers, diameters: errors, present, found, absent, silent }: PupilScore,
): string[] => [
  ...[name, String(present), percent(found, present)],
  ...LIMITS.map((limit) => percent(centers.filter((error) => error <= limit).length, present)),
  ...[fixed(quantile(centers.filter(Number.isFinite), 0.5)), fixed(quantile(errors, 0.5)), percent(silent, absent)],
];
