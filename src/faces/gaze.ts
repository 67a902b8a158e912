/**
 * Where a face looks, from the places of its irises between the corners of the eyes. An iris lies on a ball: the direction of the gaze
 * is where it stands away from the ball's center, in radii of its way. The center moves with the head, against the middle of the
 * corners; so each component of the direction is linear in the iris's offset and in the axes of the head:
 *
 *   g = a (iris - corners) / scale + R c
 *
 * with R the rotation of the head and c the same for all persons but for its side. `npm run train:eyes` fits a and c, and what the
 * height of the lids adds, on rendered faces whose gaze is known.
 */
import type { Gaze } from '../results/types.ts';
import { eyeWidth, type HeadPose } from './head.ts';
import type { Iris } from './iris.ts';
import { eyeTable } from './eye-table.ts';

/** Darker counts as this. */
const LEAST_BARE = 0.02;

/** First points of the eyes, of 68: left in the picture, right. */
export const EYES = [36, 42] as const;

/** Axes of a head, as rows: to the right of the picture, up. */
export function axesOf({ yaw, pitch, roll }: Pick<HeadPose, 'yaw' | 'pitch' | 'roll'>): [number[], number[]] {
  const [[ca, sa], [cb, sb], [cc, sc]] = [yaw, pitch, roll].map((angle) => [Math.cos(angle), Math.sin(angle)]) as [
    [number, number],
    [number, number],
    [number, number],
  ];
  const across = [ca, 0, sa];
  const up = [-sb * sa, cb, sb * ca];
  return [across.map((v, i) => cc * v + sc * up[i]!), up.map((v, i) => cc * v - sc * across[i]!)];
}

/** What the two components of the gaze are linear in, of one eye. */
export function gazeColumns(
  landmarks: ArrayLike<number>,
  side: 0 | 1,
  iris: Pick<Iris, 'x' | 'y'>,
  pose: HeadPose,
): [across: number[], up: number[]] {
  const first = 2 * EYES[side];
  const at = (k: number) => landmarks[first + k]!;
  const unit = eyeWidth(pose);
  const [mx, my] = [(at(0) + at(6)) / 2, (at(1) + at(7)) / 2];
  const upper = (at(3) + at(5)) / 2;
  const lower = (at(9) + at(11)) / 2;
  const [right, up] = axesOf(pose);
  const sign = side ? 1 : -1;
  return [
    [(iris.x - mx) / unit, sign * right[0]!, right[1]!, right[2]!],
    [(my - iris.y) / unit, sign * up[0]!, up[1]!, up[2]!, (my - upper) / unit, (my - lower) / unit],
  ];
}

const dot = (a: readonly number[], b: readonly number[]) => a.reduce((sum, v, i) => sum + v * b[i]!, 0);

/** The direction that both components make; null where they are those of none. */
export function directionOf(across: number, up: number): Gaze | null {
  const rest = 1 - across * across - up * up;
  if (!(rest > 0.1)) return null;
  return { yaw: Math.atan2(across, Math.sqrt(rest)), pitch: Math.asin(up) };
}

/** Of both eyes of a face: gray below them by that of bare skin, the geometric mean; dark glasses are before both. */
export function barenessOf(found: readonly (Pick<Iris, 'bare'> | null)[]): number {
  const logs = found.flatMap((iris) => (iris ? [Math.log(Math.max(LEAST_BARE, iris.bare))] : []));
  return logs.length ? Math.exp(logs.reduce((sum, v) => sum + v, 0) / logs.length) : 0;
}

/** Of a face: the mean of the eyes whose iris is seen; null behind dark glasses. */
export function gazeOf(landmarks: ArrayLike<number>, found: readonly (Iris | null)[], pose: HeadPose): Gaze | null {
  if (barenessOf(found) < eyeTable.bare) return null;
  const seen = found.flatMap((iris, side) => {
    if (!iris || iris.clearness < eyeTable.clearness) return [];
    const [across, up] = gazeColumns(landmarks, side as 0 | 1, iris, pose);
    return [[dot(across, eyeTable.across), dot(up, eyeTable.up)] as const];
  });
  if (!seen.length) return null;
  const mean = (k: 0 | 1) => seen.reduce((sum, one) => sum + one[k], 0) / seen.length;
  return directionOf(mean(0), mean(1));
}
