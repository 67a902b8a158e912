// The reliability diagram as a table: of the frames in each tenth of the confidence, the share that is right.
import { share } from '../../../bench/parts/intervals.mjs';
import { fixed } from '../../../bench/parts/report.mjs';

const TENTHS = 10;

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

/** On a real set: within 5 px and 10 % of the radius; the masks of meye-human are 4 to 18 % small, there by the center alone. */
export const rightOnReal = (set, off, size) => off <= 5 && (set === 'meye-human' || size <= 0.1);

/** Of [name, list] each: a row for each tenth, a column for each list. */
export function reliabilityTable(lists) {
  const counted = lists.map(([, list]) => tenths(list));
  return [
    ['confidence', ...lists.map(([name, list]) => `${name} (${list.length})`)],
    ...Array.from({ length: TENTHS }, (_, i) => [
      `${fixed(i / 10)} to ${fixed((i + 1) / 10)}`,
      ...counted.map((own) => (own[i].n ? `${share(own[i].right, own[i].n)} of ${own[i].n}` : '-')),
    ]),
    ['expected error', ...lists.map(([, list]) => fixed(expectedError(list), 3))],
  ];
}
