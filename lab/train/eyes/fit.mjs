// node lab/train/eyes/fit.mjs: fits the weights of the second opinion to rendered eyes (src/pupil/second/weights.ts), and measures on others
// of other seeds: found and false pupils where the search is unsure, the share that lids cover, the diameter of the iris.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { share } from '../../../bench/parts/intervals.mjs';
import { quantile } from '../../../bench/parts/numbers.mjs';
import { areaUnderCurve, dot, fitLogistic, sigmoid } from '../../../bench/pupil/parts/logistic.mjs';
import { importTs } from '../../../tools/import-ts.mjs';
import { root } from '../../../tools/setup.mjs';

const RIDGE = 1e-3;
const CUT = 0.7;
const PART = Number(process.env.PART ?? 1);
const WIDTHS = [192, 256, 320, 480, 640];
const lib = await importTs('lab/train/eyes/fit-library.ts');
const file = (name) => readFileSync(path.resolve(root, name));
const reader = await lib.Reader.open(
  file('dist/kernels.wasm'),
  new Uint8Array(file(process.env.MODEL ?? 'models/eyes.bin')),
);

const generators = {
  wide: (i, seed, drawn) => lib.wideFrame(i, seed, { widths: WIDTHS, close: lib.closeLids, drawn }),
  varied: (i, seed) => lib.variedFrame(i, seed),
  hard: (i, seed) => lib.hardFrame(i, seed),
  shapes: (i, seed) => lib.shapesFrame(i, seed),
};

/** Center and seven tenths of the radius within 12 % of the radius or 1.5 px, as for the confidence of the search. */
function isRight({ x, y, r }, { present, ellipse, circle }, within = 0.12, least = 1.5) {
  if (!present) return false;
  const limit = Math.max(least, within * circle.r);
  return Math.hypot(x - ellipse.x, y - ellipse.y) <= limit && 0.7 * Math.abs(r - circle.r) <= limit;
}

function read(sets, all) {
  return sets.flatMap(([name, count, seed]) => {
    const rows = [];
    for (let i = 0; i < count / PART; i++) {
      let scene = null;
      const eye = generators[name](i, seed, (drawn) => (scene = drawn));
      const judged = reader.read(eye, eye.meta.polarity ?? 'dark', scene, all);
      rows.push({ ...judged, truth: eye.truth, set: name, polarity: eye.meta.polarity ?? 'dark' });
    }
    console.error(`read: ${name}, seed ${seed}`);
    return rows;
  });
}

function fitted(rows) {
  const cases = rows.flatMap(({ outlines, truth }) =>
    outlines
      .map((one) => ({ features: one.features, right: isRight(one, truth), near: isRight(one, truth, 0.24, 3) }))
      .filter(({ right, near }) => right || !near)
      .map((one, _, list) => ({ ...one, weight: 1 / list.length })),
  );
  const weights = fitLogistic(cases, RIDGE);
  const scores = cases.map(({ features }) => dot(features, weights));
  console.log(`cases ${cases.length}, right ${cases.filter(({ right }) => right).length}, ROC area ${areaUnderCurve(scores, cases.map(({ right }) => right)).toFixed(4)}; of the search alone ${areaUnderCurve(cases.map(({ features }) => features[1]), cases.map(({ right }) => right)).toFixed(4)}`); // prettier-ignore
  return weights;
}

function after({ own, outlines }, weights) {
  let best = { found: false, confidence: own.confidence };
  let most = -1;
  for (const one of outlines) {
    const confidence = sigmoid(dot(one.features, weights));
    if (confidence > most) [most, best] = [confidence, { ...one, confidence, found: confidence >= CUT }];
  }
  return best;
}

function report(rows, weights) {
  const found = (one, truth) => one.found && Math.hypot(one.x - truth.ellipse.x, one.y - truth.ellipse.y) <= Math.max(1.5, 0.12 * truth.circle.r); // prettier-ignore
  for (const set of [...new Set(rows.map((row) => row.set))]) {
    const unsure = rows.filter((row) => row.set === set && row.own.confidence < 0.9);
    const parts = { open: ({ truth }) => truth.present && !truth.partial, 'partly covered': ({ truth }) => truth.present && truth.partial }; // prettier-ignore
    for (const [part, test] of Object.entries(parts)) {
      const eyes = unsure.filter(test);
      const [a, b] = [eyes.filter(({ own, truth }) => found(own, truth)).length, eyes.filter((row) => found(after(row, weights), row.truth)).length]; // prettier-ignore
      const wrong = (of) => eyes.filter((row) => of(row).found && !isRight(of(row), row.truth, 0.24, 3)).length;
      console.log(`${set}, unsure, ${part}: ${eyes.length} of ${rows.filter((row) => row.set === set && test(row)).length}; found ${share(a, eyes.length)} before, ${share(b, eyes.length)} after; wrong ${wrong((row) => row.own)} and ${wrong((row) => after(row, weights))}`); // prettier-ignore
    }
    for (const [part, test] of Object.entries({
      closed: ({ truth }) => truth.blink,
      'without an eye': ({ truth }) => truth.eyeless,
    })) {
      // prettier-ignore
      const none = unsure.filter(test);
      console.log(`${set}, unsure, ${part}: ${none.length}; false pupils ${none.filter(({ own }) => own.found).length} before, ${none.filter((row) => after(row, weights).found).length} after`); // prettier-ignore
    }
  }
  const covered = rows.filter((row) => row.covered && row.truth.present);
  for (const [low, high] of [
    [0, 0.02],
    [0.02, 0.2],
    [0.2, 0.5],
    [0.5, 0.8],
  ]) {
    // prettier-ignore
    const errors = covered.filter(({ covered: [, t] }) => t >= low && t < high).map(({ covered: [m, t] }) => m - t);
    if (errors.length) console.log(`covered by lids ${low} to ${high}: n ${errors.length}, mean error ${(errors.reduce((a, b) => a + b) / errors.length).toFixed(3)}, absolute: median ${quantile(errors.map(Math.abs), 0.5).toFixed(3)}, 90 % ${quantile(errors.map(Math.abs), 0.9).toFixed(3)}`); // prettier-ignore
  }
  const eyes = rows.filter((row) => row.truth.present && row.own.found);
  const iris = eyes.filter((row) => row.iris).map(({ iris: [m, t] }) => m / t - 1);
  console.log(`iris: measured in ${iris.length} of ${eyes.length}; error median ${quantile(iris, 0.5).toFixed(4)}, absolute: median ${quantile(iris.map(Math.abs), 0.5).toFixed(4)}, 90 % ${quantile(iris.map(Math.abs), 0.9).toFixed(4)}`); // prettier-ignore
  const times = rows.map(({ ms }) => ms).filter(Boolean);
  console.log(`network: ${quantile(times, 0.1).toFixed(1)} ms of one thread`);
}

const fit = read([['wide', 900, 6101], ['varied', 200, 1101], ['shapes', 60, 1104]], false); // prettier-ignore
const weights = fitted(fit);
lib.opinionWeights.forEach(([name, used], i) => console.log(`${name}: ${weights[i].toPrecision(6)}, in use ${used}`));
report(read([['wide', 500, 6102], ['varied', 120, 2101], ['hard', 120, 7101]], true), weights); // prettier-ignore
process.exit(0);
