// 95 % intervals for the tables: Wilson's interval for a share, the exact interval for a rate of events, and the bootstrap
// interval for groups with similar members, such as frames of a sequence or pixels of a photograph.
import { generator } from '../../tools/random.mjs';
import { mean } from './numbers.mjs';
import { fixed } from './report.mjs';

const Z = 1.959964;
const TAIL = 0.025;
const ROUNDS = 2000;
const SEED = 1927;

/** Wilson's score interval of a share, in percent (Wilson 1927, Journal of the American Statistical Association 22). */
export function wilson(hits, n) {
  if (!n) return [NaN, NaN];
  const p = hits / n;
  const middle = (p + (Z * Z) / (2 * n)) / (1 + (Z * Z) / n);
  const half = (Z / (1 + (Z * Z) / n)) * Math.sqrt((p * (1 - p)) / n + (Z * Z) / (4 * n * n));
  return [Math.max(0, 100 * (middle - half)), Math.min(100, 100 * (middle + half))]; // rounding goes a little beyond
}

/** Probability of at most this number of events if `rate` are expected. */
function atMostSoMany(count, rate) {
  let [term, sum] = [Math.exp(-rate), 0];
  for (let k = 0; k <= count; k++) {
    sum += term;
    term *= rate / (k + 1);
  }
  return sum;
}

/** Exact interval of the expected number of events for a counted number (Garwood 1936, Biometrika 28). */
export function poisson(count) {
  const rateAt = (below, chance) => {
    let [low, high] = [0, 10 + 2 * count + 10 * Math.sqrt(count)];
    for (let i = 0; i < 60; i++) {
      const rate = (low + high) / 2;
      if (atMostSoMany(below, rate) > chance) low = rate;
      else high = rate;
    }
    return low;
  };
  return [count ? rateAt(count - 1, 1 - TAIL) : 0, rateAt(count, TAIL)];
}

/**
 * Percentiles of `statistic(groups)` over groups drawn again with a fixed seed (Efron 1979, Annals of Statistics 7). A single
 * group has no interval. Draws without a number are left out.
 */
export function bootstrap(groups, statistic = mean, rounds = ROUNDS) {
  if (groups.length < 2) return [NaN, NaN];
  const random = generator(SEED);
  const values = Array.from({ length: rounds }, () =>
    statistic(groups.map(() => groups[Math.floor(random() * groups.length)])),
  )
    .filter((value) => !Number.isNaN(value))
    .sort((a, b) => a - b);
  const cut = Math.floor(TAIL * values.length);
  return values.length ? [values[cut], values.at(-1 - cut)] : [NaN, NaN];
}

/**
 * Bootstrap interval of a mean of shares, one per group. If all shares are 0 or 1, every draw would be equal, so Wilson's interval
 * of the number of groups is used.
 */
export function ofGroups(shares, whole = 100) {
  const alike = shares.every((share) => share === shares[0]) && [0, whole].includes(shares[0]);
  if (!alike) return bootstrap(shares);
  return wilson(shares[0] ? shares.length : 0, shares.length).map((v) => (v * whole) / 100);
}

/** Interval of the share over all groups together, [hits, n] each, in percent. A share of 0 or 1 is treated as above. */
export function ofCounts(groups) {
  const counted = groups.filter(([, n]) => n);
  const [hits, n] = [0, 1].map((k) => counted.reduce((sum, group) => sum + group[k], 0));
  if (hits === 0 || hits === n) return wilson(hits ? counted.length : 0, counted.length);
  return bootstrap(counted, (drawn) => (100 * drawn.reduce((sum, [h]) => sum + h, 0)) / drawn.reduce((sum, [, m]) => sum + m, 0)); // prettier-ignore
}

/** The form that the tables use. */
export const range = ([low, high], digits = 1) =>
  Number.isNaN(low) ? '-' : `${fixed(low, digits)} to ${fixed(high, digits)}`;

/** Interval of events per item, for a total count over n items. */
export const rangeOfRate = (count, n, digits = 2) => range(n ? poisson(count).map((v) => v / n) : [NaN, NaN], digits);

/** Wilson's interval of a share that is written as a part of 1. */
export const rangeOfShare = (hits, n, digits = 2) =>
  range(
    wilson(hits, n).map((v) => v / 100),
    digits,
  );

/** Wilson's interval of a percentage of n. */
export const rangeOfPercent = (percent, n) =>
  Number.isFinite(percent) ? range(wilson(Math.round((percent * n) / 100), n)) : '-';

/** Percent of n and, in brackets, Wilson's interval. */
export const share = (hits, n, digits = 1) =>
  n ? `${fixed((100 * hits) / n, digits)} (${range(wilson(hits, n), digits)})` : '-';

/** The line under a table of many shares, [hits, n] each: all of their intervals are at most as wide as this one. */
export function widest(counts) {
  const known = counts.filter(([hits, n]) => n && Number.isFinite(hits));
  if (!known.length) return 'No share, no interval.';
  const width = ([hits, n]) => wilson(hits, n)[1] - wilson(hits, n)[0];
  const [hits, n] = known.reduce((a, b) => (width(b) > width(a) ? b : a));
  return (
    `Wilson’s 95 % interval is widest for ${hits} of ${n}, ${fixed((100 * hits) / n)} %: ${range(wilson(hits, n))} ` +
    `(half of it: ${fixed(width([hits, n]) / 2)} points).`
  );
}

/** The line for figures that are means over groups: [name, [low, high]] each. */
export function widestOf(intervals, digits = 3) {
  const known = intervals.filter(([, [low]]) => !Number.isNaN(low));
  if (!known.length) return 'Too few groups for an interval.';
  const [name, [low, high]] = known.reduce((a, b) => (b[1][1] - b[1][0] > a[1][1] - a[1][0] ? b : a));
  return `${name}: ${range([low, high], digits)} (half of it: ${fixed((high - low) / 2, digits)})`;
}
