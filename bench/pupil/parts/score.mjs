// The measures: center within so many pixels, the paper's relative error, silence where there is no pupil.
// A row is [found, confidence, x, y, r, ms] (page.ts). A frame on which nothing is reported counts as a miss.
import { rangeOfPercent } from '../../parts/intervals.mjs';
import { mean, quantile } from '../../parts/numbers.mjs';
import { fixed } from '../../parts/report.mjs';

export const PIXELS = [1, 2, 3, 5, 10];

/** Distance of the centers and the paper's measure: the larger of the errors of center and radius, in true radii. */
export function errorOf([found, , x, y, r], truth, fit) {
  if (!found) return { center: Infinity, relative: Infinity, radius: Infinity };
  const size = fit === 'circle' ? (truth.circle ?? truth.r) : truth.r;
  const center = Math.hypot(x - truth.x, y - truth.y);
  const radius = r - size;
  return { center, radius, relative: Math.max(center, Math.abs(radius)) / size };
}

const percent = (list, test) => (list.length ? (100 * list.filter(test).length) / list.length : NaN);

export function score(rows, truth, fit) {
  const pairs = rows.map((row, i) => ({ row, truth: truth[i], i }));
  const present = pairs.filter((pair) => pair.truth.present);
  const empty = pairs.filter((pair) => !pair.truth.present);
  const errors = present.map((pair) => ({ ...pair, ...errorOf(pair.row, pair.truth, fit) }));
  const found = errors.filter(({ row }) => row[0]);
  return {
    n: present.length,
    without: empty.length,
    within: PIXELS.map((limit) => percent(errors, ({ center }) => center <= limit)),
    relative: [0.05, 0.1].map((limit) => percent(errors, ({ relative }) => relative <= limit)),
    found: percent(errors, ({ row }) => row[0]),
    silent: percent(empty, ({ row }) => !row[0]),
    ms: mean(rows.map((row) => row[5])),
    center: {
      median: quantile(
        found.map((e) => e.center),
        0.5,
      ),
      p90: quantile(
        found.map((e) => e.center),
        0.9,
      ),
    },
    diameter: {
      median: quantile(
        found.map((e) => 2 * Math.abs(e.radius)),
        0.5,
      ),
      p90: quantile(
        found.map((e) => 2 * Math.abs(e.radius)),
        0.9,
      ),
    },
    errors,
    alarms: empty.filter(({ row }) => row[0]),
  };
}

/** A row of shares, with Wilson's intervals of the two that verdicts are about. */
export const SCORE_HEAD = [
  '',
  ...PIXELS.map((p) => `<=${p} px`),
  '<=5 px, 95 %',
  'size+center <=5 %',
  '<=10 %',
  'silent',
  'silent, 95 %',
  'ms',
];

/** @param values percent within PIXELS, twice size and center, silent, ms; of `n` pupils and `without` frames that have none */
export const valueCells = (values, { n, without }) => [
  ...values.slice(0, 5).map((value) => fixed(value)),
  rangeOfPercent(values[3], n),
  ...values.slice(5, 8).map((value) => fixed(value)),
  rangeOfPercent(values[7], without),
  fixed(values[8], 2),
];

export const scoreCells = ({ within, relative, silent, ms, ...counts }) =>
  valueCells([...within, ...relative, silent, ms], counts);

/** Why a frame with a pupil does not count as within 5 px and 10 %; null when it does. */
export function reason({ row, center, relative, truth, radius }) {
  if (center <= 5 && relative <= 0.1) return null;
  const sure = `confidence ${row[1].toFixed(2)}`;
  if (!row[0]) return `nothing reported (${sure})`;
  if (center > truth.r) return `another place, ${center.toFixed(0)} px away (${sure})`;
  const size = `radius ${((100 * radius) / truth.r).toFixed(0)} %`;
  return `the pupil, but off by ${center.toFixed(1)} px, ${size} (${sure})`;
}

export const kindOfReason = (words) =>
  words
    .replace(/[,(].*/, '')
    .replace(/ off by.*/, '')
    .trim();
