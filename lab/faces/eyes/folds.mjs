// Five folds by person, and how sure a figure is.
export const FOLDS = [0, 1, 2, 3, 4];
export const foldOf = ({ record }) => record.person % FOLDS.length;

/** Wilson's interval of a share, 95 %. */
export function interval(hits, n) {
  if (!n) return '–';
  const z = 1.96;
  const p = hits / n;
  const middle = (p + (z * z) / (2 * n)) / (1 + (z * z) / n);
  const half = (z / (1 + (z * z) / n)) * Math.sqrt((p * (1 - p)) / n + (z * z) / (4 * n * n));
  const percent = (v) => (100 * v).toFixed(1);
  return `${percent(p)} % (${percent(Math.max(0, middle - half))} to ${percent(Math.min(1, middle + half))}) of ${n}`;
}

export const mean = (list) => list.reduce((sum, v) => sum + v, 0) / list.length;

export function quantile(list, share) {
  const sorted = [...list].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))];
}

/** 95 % of the mean over persons, drawn again: pictures of one person hang together. */
export function meanInterval(values, persons, random, draws = 1000) {
  const groups = [...grouped(values.map((value, i) => [persons[i], value]), ([person]) => person).values()]; // prettier-ignore
  const sums = groups.map((group) => [group.reduce((sum, [, v]) => sum + v, 0), group.length]);
  const means = Array.from({ length: draws }, () => {
    let [sum, n] = [0, 0];
    for (let k = 0; k < sums.length; k++) {
      const [own, count] = sums[Math.floor(random() * sums.length)];
      sum += own;
      n += count;
    }
    return sum / n;
  });
  return [quantile(means, 0.025), quantile(means, 0.975)];
}

/**
 * The limit below which samples are `positive` that makes the least errors: share of those missed, and `cost` times that of others taken
 * for them.
 */
export function bestLimit(samples, cost = 1) {
  const count = (positive) => samples.filter((s) => s.positive === positive).length;
  const [yes, no] = [count(true), count(false)];
  const sorted = [...samples].sort((a, b) => a.value - b.value);
  let [missed, wrong] = [yes, 0];
  let best = { error: 1, limit: -Infinity };
  sorted.forEach(({ value, positive }, i) => {
    if (positive) missed--;
    else wrong++;
    const error = missed / yes + (cost * wrong) / no;
    if (error < best.error) best = { error, limit: (value + (sorted[i + 1]?.value ?? value)) / 2 };
  });
  return best.limit;
}

/** Members by their key. */
export function grouped(list, keyOf) {
  const groups = new Map();
  for (const one of list) groups.set(keyOf(one), [...(groups.get(keyOf(one)) ?? []), one]);
  return groups;
}
