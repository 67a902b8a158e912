// The choice of one constant. What a value comes to is counted by groups (a person, a photograph, a sequence): `{ group: counts }`,
// counts that can be added; `worth(counts)` is what the value is worth. The first value of a list is the one in use.

export function add(a, b) {
  const sum = { ...a };
  for (const [key, value] of Object.entries(b)) sum[key] = (sum[key] ?? 0) + value;
  return sum;
}

/** The counts of all groups but one. */
export const totalOf = (groups, without = null) =>
  Object.entries(groups).reduce((sum, [group, counts]) => (group === without ? sum : add(sum, counts)), {});

/** What a change does not reach is as it was: counts that were not taken again. */
export const merged = (groups, changed) =>
  Object.fromEntries(Object.entries(groups).map(([name, counts]) => [name, { ...counts, ...changed[name] }]));

/** The place of the value that is worth most without a group; of equals the first. */
function bestOf(values, worth, without = null) {
  const all = values.map((groups) => worth(totalOf(groups, without)));
  return all.indexOf(Math.max(...all));
}

/** By how much a value is better than the one in use, and the jackknife's error of that: one group left out at a time. */
export function gainOf(values, k, worth) {
  const difference = (without) => worth(totalOf(values[k], without)) - worth(totalOf(values[0], without));
  const names = Object.keys(values[0]);
  const left = names.map((name) => difference(name));
  const mean = left.reduce((sum, v) => sum + v, 0) / left.length;
  const squares = left.reduce((sum, v) => sum + (v - mean) ** 2, 0);
  return { gain: difference(null), error: Math.sqrt(((left.length - 1) / left.length) * squares) };
}

/**
 * Of a list of values: what each is worth, the place of the best on all groups, and what comes out where each group is
 * judged by the value that the others choose. `better`: the place of a value that is better than the one in use by more
 * than twice the error of their difference, or null.
 */
export function choose(values, worth) {
  const held = Object.keys(values[0]).reduce((sum, name) => {
    return add(sum, values[bestOf(values, worth, name)][name]);
  }, {});
  const best = bestOf(values, worth);
  const { gain, error } = gainOf(values, best, worth);
  return {
    worths: values.map((groups) => worth(totalOf(groups))),
    best,
    held: worth(held),
    gain,
    error,
    better: best > 0 && gain > 2 * error ? best : null,
  };
}
