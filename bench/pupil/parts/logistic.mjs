// Logistic regression by Newton's method with a ridge on every weight but the constant's, on standardized features;
// reliability and the area under the ROC curve.

/** Solves a symmetric positive definite system by Cholesky. */
function solve(a, b) {
  const n = b.length;
  const l = a.map((row) => row.slice());
  for (let j = 0; j < n; j++) {
    for (let k = 0; k < j; k++) l[j][j] -= l[j][k] ** 2;
    if (!(l[j][j] > 0)) throw new Error('The features depend on each other.');
    l[j][j] = Math.sqrt(l[j][j]);
    for (let i = j + 1; i < n; i++) {
      for (let k = 0; k < j; k++) l[i][j] -= l[i][k] * l[j][k];
      l[i][j] /= l[j][j];
    }
  }
  const x = b.slice();
  for (let i = 0; i < n; i++) {
    for (let k = 0; k < i; k++) x[i] -= l[i][k] * x[k];
    x[i] /= l[i][i];
  }
  for (let i = n - 1; i >= 0; i--) {
    for (let k = i + 1; k < n; k++) x[i] -= l[k][i] * x[k];
    x[i] /= l[i][i];
  }
  return x;
}

export const sigmoid = (z) => 1 / (1 + Math.exp(-z));
export const dot = (a, b) => a.reduce((sum, value, i) => sum + value * b[i], 0);

/**
 * @param rows [{ features, right, weight }]; features[0] is the constant 1
 * @returns weights for the features as they are
 */
export function fitLogistic(rows, ridge) {
  const n = rows[0].features.length;
  const total = rows.reduce((sum, { weight }) => sum + weight, 0);
  const moment = (f) =>
    Array.from({ length: n }, (_, j) => rows.reduce((s, row) => s + row.weight * f(row.features[j], j), 0) / total);
  const middle = moment((v) => v);
  const spread = moment((v, j) => (v - middle[j]) ** 2).map((v) => Math.sqrt(v) || 1);
  const scaled = rows.map((row) => ({
    ...row,
    x: row.features.map((v, j) => (j ? (v - middle[j]) / spread[j] : 1)),
    weight: row.weight / total,
  }));
  let w = new Array(n).fill(0);
  for (let step = 0; step < 60; step++) {
    const gradient = w.map((v, j) => (j ? -ridge * v : 0));
    const hessian = w.map((_, j) => w.map((_, k) => (j === k ? (j ? ridge : 1e-12) : 0)));
    for (const { x, right, weight } of scaled) {
      const p = sigmoid(dot(w, x));
      const error = weight * ((right ? 1 : 0) - p);
      const curve = weight * p * (1 - p);
      for (let j = 0; j < n; j++) {
        gradient[j] += error * x[j];
        for (let k = 0; k < n; k++) hessian[j][k] += curve * x[j] * x[k];
      }
    }
    const move = solve(hessian, gradient);
    w = w.map((v, j) => v + move[j]);
    if (Math.max(...move.map(Math.abs)) < 1e-9) break;
  }
  const plain = w.map((v, j) => (j ? v / spread[j] : v));
  plain[0] -= plain.reduce((sum, v, j) => (j ? sum + v * middle[j] : sum), 0);
  return plain;
}

/** Area under the ROC curve; ties count half. */
export function areaUnderCurve(scores, labels) {
  const order = scores.map((score, i) => [score, labels[i]]).sort((a, b) => a[0] - b[0]);
  const positives = labels.filter(Boolean).length;
  const negatives = labels.length - positives;
  if (!positives || !negatives) return NaN;
  let ranks = 0;
  for (let i = 0; i < order.length;) {
    let j = i;
    while (j < order.length && order[j][0] === order[i][0]) j++;
    for (let k = i; k < j; k++) if (order[k][1]) ranks += (i + j + 1) / 2;
    i = j;
  }
  return (ranks - (positives * (positives + 1)) / 2) / (positives * negatives);
}

export const BINS = [0, 0.05, 0.2, 0.35, 0.5, 0.65, 0.8, 0.95, 1.0001];

/** Per bin of confidence: frames, mean confidence, share that was right. */
export function reliability(confidences, labels) {
  return BINS.slice(1).map((high, i) => {
    const inside = confidences.map((p, k) => ({ p, right: labels[k] })).filter(({ p }) => p >= BINS[i] && p < high);
    const n = inside.length;
    return {
      n,
      mean: n ? inside.reduce((sum, { p }) => sum + p, 0) / n : NaN,
      right: n ? inside.filter(({ right }) => right).length / n : NaN,
    };
  });
}
