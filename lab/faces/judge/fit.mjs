// The judge's templates: logistic regression on gradients by stochastic descent, averaged over its second half. The one of
// faces from the front is alike on both sides. Everything follows from the seed.
import { generator } from '../../../tools/random.mjs';

/**
 * @param rows [{ gradients, right, turned }]; `turned`: take its mirror image
 * @param from where each number of a mirrored one comes from
 * @param alike whether each row is taken as it is or mirrored, by lot
 * @returns { template, constant }
 */
export function fitTemplate(rows, from, { alike, epochs = 8, ridge = 2e-3, rate = 0.03, seed = 1 }) {
  const n = from.length;
  const random = generator(seed);
  const middle = new Float64Array(n);
  for (const { gradients, turned } of rows)
    for (let k = 0; k < n; k++) middle[k] += gradients[turned ? from[k] : k] / rows.length;
  const center = alike ? middle.map((v, k) => (v + middle[from[k]]) / 2) : middle;
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
      const turned = alike ? random() < 0.5 : rows[i].turned;
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
  const template = Float32Array.from(sum, (v, k) => (alike ? v + sum[from[k]] : 2 * v) / (2 * counted));
  const constant = biases / counted - template.reduce((total, v, k) => total + v * center[k], 0);
  return { template, constant };
}

/** Yaw, degrees, up to which a face is one from the front, and from which on it is a turned one. */
const [FRONT, TURNED] = [25, 18];

/** Templates of faces from the front, and turned to one side: others are mirrored. */
export function fitTemplates(rows, from, seed) {
  const front = rows.filter(({ right, yaw }) => !right || Math.abs(yaw) <= FRONT);
  const random = generator(seed);
  const turned = rows
    .filter(({ right, yaw }) => !right || Math.abs(yaw) >= TURNED)
    .map((row) => ({ ...row, turned: row.right ? row.yaw < 0 : random() < 0.5 }));
  return [fitTemplate(front, from, { alike: true, seed }), fitTemplate(turned, from, { alike: false, seed })];
}
