// The split of a node (Kazemi and Sullivan 2014, section 2.3.2), by pairs of feature pixels and the best threshold of each.

const BINS = 32;

/** Pairs of pixels that lie close together make better splits: exponential prior over their distance. */
export function drawPairs(random, count, places, lambda) {
  const pixels = places.length / 2;
  const out = new Uint16Array(2 * count);
  for (let n = 0; n < count;) {
    const i = Math.floor(random() * pixels);
    const j = Math.floor(random() * pixels);
    const d = Math.hypot(places[2 * i] - places[2 * j], places[2 * i + 1] - places[2 * j + 1]);
    if (i === j || random() > Math.exp(-d / lambda)) continue;
    out[2 * n] = i;
    out[2 * n + 1] = j;
    n++;
  }
  return out;
}

/** Room for `bestSplit`. */
export const splitRoom = (members, directions) => ({
  differences: new Int16Array(members),
  sums: new Float64Array(BINS * directions),
  counts: new Int32Array(BINS),
  left: new Float64Array(directions),
  total: new Float64Array(directions),
});

/**
 * The pair, and the threshold of its difference, that takes most of the residuals' squares: every pair's differences go
 * into bins of an eighth of their deviation, so that all thresholds are scored in one pass.
 * @param features  Int16Array, pixel after pixel, a sample each
 * @param rows      residuals along the directions by which splits are judged, a row a chosen sample
 */
export function bestSplit(
  { features, samples, chosen, rows, directions },
  members,
  count,
  pairs,
  from,
  to,
  least,
  room,
) {
  const { differences, sums, counts, left, total } = room;
  total.fill(0);
  for (let n = 0; n < count; n++) {
    const at = members[n] * directions;
    for (let k = 0; k < directions; k++) total[k] += rows[at + k];
  }
  const best = { score: -1, i: pairs[0], j: pairs[1], threshold: 0 };
  for (let pair = from; pair < to; pair++) {
    const [i, j] = [pairs[2 * pair], pairs[2 * pair + 1]];
    const [a, b] = [i * samples, j * samples];
    let [sum, squares] = [0, 0];
    for (let n = 0; n < count; n++) {
      const s = chosen[members[n]];
      const d = features[a + s] - features[b + s];
      differences[n] = d;
      sum += d;
      squares += d * d;
    }
    const mean = sum / count;
    const step = Math.max(1, Math.sqrt(Math.max(0, squares / count - mean * mean)) / 8);
    const first = mean - (step * BINS) / 2;
    sums.fill(0);
    counts.fill(0);
    for (let n = 0; n < count; n++) {
      const bin = Math.min(BINS - 1, Math.max(0, Math.ceil((differences[n] - first) / step)));
      counts[bin]++;
      const at = members[n] * directions;
      const own = bin * directions;
      for (let k = 0; k < directions; k++) sums[own + k] += rows[at + k];
    }
    left.fill(0);
    let inside = 0;
    for (let bin = 0; bin < BINS - 1; bin++) {
      inside += counts[bin];
      let score = 0;
      const rest = count - inside;
      for (let k = 0, at = bin * directions; k < directions; k++) {
        left[k] += sums[at + k];
        const right = total[k] - left[k];
        score += (left[k] * left[k]) / inside + (right * right) / rest;
      }
      if (inside >= least && rest >= least && score > best.score)
        Object.assign(best, { score, i, j, threshold: Math.fround(first + bin * step) });
    }
  }
  return best;
}
