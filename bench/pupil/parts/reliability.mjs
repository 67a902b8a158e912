// The reliability diagram as a table: of the frames in each tenth of the confidence, the share that is right.
import { fixed } from '../../parts/report.mjs';

const TENTHS = 10;

export const RELIABILITY_HEAD = [
  'frames',
  ...Array.from({ length: TENTHS }, (_, i) => `${fixed(i / 10)} to ${fixed((i + 1) / 10)}`),
  'expected error',
];

/** @param list [{ p, right }] */
export function tenths(list) {
  return Array.from({ length: TENTHS }, (_, i) => {
    const own = list.filter(({ p }) => Math.min(TENTHS - 1, Math.floor(TENTHS * p)) === i);
    return { n: own.length, right: own.filter(({ right }) => right).length, p: own.reduce((sum, { p }) => sum + p, 0) };
  });
}

/** Mean distance of confidence and share right over the tenths, by their frames. */
export const expectedError = (list) =>
  tenths(list).reduce((sum, { right, p }) => sum + Math.abs(right - p), 0) / list.length;

export const reliabilityRows = (name, list) => [
  `${name} (${list.length})`,
  ...tenths(list).map(({ n, right }) => (n ? `${fixed((100 * right) / n, 0)} (${n})` : '-')),
  fixed(expectedError(list), 3),
];
