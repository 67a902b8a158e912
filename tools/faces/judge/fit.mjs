// The judge's template: logistic regression on gradients by stochastic descent, averaged over its second half, alike on both
// sides. Everything follows from the seed.
import { generator } from '../../random.mjs';

/** Where each number of the gradients of a mirrored box comes from. */
export function mirror(cells, channels) {
  const from = new Int32Array(cells * cells * channels);
  for (let j = 0; j < cells; j++)
    for (let i = 0; i < cells; i++)
      for (let k = 0; k < channels; k++) {
        // Direction k is at k times 20 degrees with its sign, and without it at as many.
        const other = k < 18 ? (27 - k) % 18 : 18 + ((27 - k) % 9);
        from[(j * cells + i) * channels + k] = (j * cells + cells - 1 - i) * channels + other;
      }
  return from;
}

/**
 * @param rows [{ gradients, right, weight }]
 * @returns { template, constant }
 */
export function fitTemplate(rows, from, { epochs = 12, ridge = 1e-3, rate = 0.03, seed = 1 } = {}) {
  const n = from.length;
  const random = generator(seed);
  const middle = new Float64Array(n);
  rows.forEach(({ gradients }) => gradients.forEach((v, k) => (middle[k] += v / rows.length)));
  const center = middle.map((v, k) => (v + middle[from[k]]) / 2);
  const right = rows.filter((row) => row.right).length;
  const [up, down] = [rows.length / right / 2, rows.length / (rows.length - right) / 2];
  const [w, sum, x] = [new Float64Array(n), new Float64Array(n), new Float64Array(n)];
  let [bias, biases, counted, at] = [0, 0, 0, 0];
  const order = rows.map((_, i) => i);
  const steps = rows.length * epochs;
  for (let epoch = 0; epoch < epochs; epoch++) {
    for (let i = order.length - 1; i > 0; i--) {
      const j = Math.floor(random() * (i + 1));
      [order[i], order[j]] = [order[j], order[i]];
    }
    for (const i of order) {
      const { gradients, right: face } = rows[i];
      const speed = rate / (1 + (20 * at) / steps);
      const turned = random() < 0.5;
      let odds = bias;
      for (let k = 0; k < n; k++) {
        x[k] = gradients[turned ? from[k] : k] - center[k];
        odds += w[k] * x[k];
      }
      const push = speed * (face ? up : down) * ((face ? 1 : 0) - 1 / (1 + Math.exp(-odds)));
      const kept = 1 - speed * ridge;
      for (let k = 0; k < n; k++) w[k] = kept * w[k] + push * x[k];
      bias += push;
      if (2 * ++at > steps && at % 8 === 0) {
        for (let k = 0; k < n; k++) sum[k] += w[k];
        biases += bias;
        counted++;
      }
    }
  }
  const template = Float32Array.from(sum, (v, k) => (v + sum[from[k]]) / (2 * counted));
  const constant = biases / counted - template.reduce((total, v, k) => total + v * center[k], 0);
  return { template, constant };
}
