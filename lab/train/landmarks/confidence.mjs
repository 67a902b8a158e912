// node lab/train/landmarks/confidence.mjs [HEADS]: fits the confidence of the network's landmarks on rendered heads that played no
// part in training, in boxes as a detector's are and in stray ones (lab/landmarks/confidence.mjs), and prints how well it is
// calibrated on other heads. The weights go into src/faces/network-landmarks.ts.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { importTs } from '../../../tools/import-ts.mjs';
import { generator } from '../../../tools/random.mjs';
import { sharedFolder } from '../../../tools/serve.mjs';
import { root } from '../../../tools/setup.mjs';
import { boxesOf, errorOf, judgeDefaults } from '../../landmarks/confidence.mjs';

const HEADS = Number(process.argv[2] ?? 600);
const lib = await importTs('lab/train/landmarks/measure-library.ts');
const file = (name) => new Uint8Array(readFileSync(path.resolve(root, name)));
const runtime = await lib.Runtime.create({ module: await WebAssembly.compile(file('dist/kernels.wasm')) });
const network = lib.readNetwork(file(process.env.MODEL ?? 'models/landmarks-network.bin'));
const renderer = new lib.Renderer(lib.readModel(file(path.join(sharedFolder, 'data/ict/ict-face.bin'))));

/** Numbers of each box: what the confidence is computed from, whether the points lie well, and the confidence as it is. */
async function samplesOf(first, count) {
  const random = generator(first);
  const samples = [];
  for (let seed = first; seed < first + count; seed++) {
    const { data, width, height, points } = renderer.render(seed);
    const plane = runtime.plane(width, height, 'u8', lib.grayOf(data));
    const boxes = boxesOf(points, judgeDefaults, random);
    const fits = await lib.drive(runtime, (scope) => lib.networkLandmarks(scope, plane, boxes, network));
    plane.dispose();
    for (const { landmarks, errors, confidence } of fits)
      samples.push({
        x: [1, Math.log(lib.expectedError(landmarks, errors))],
        good: errorOf(landmarks, points) <= judgeDefaults.well,
        confidence,
      });
  }
  return samples;
}

const dot = (w, x) => w.reduce((sum, v, i) => sum + v * x[i], 0);
const chance = (w, x) => 1 / (1 + Math.exp(-dot(w, x)));

/** Weight of the squared weights: renders that are too easy would make the slope infinite. */
const PRIOR = 0.01;

/** Newton's method for the logistic loss. */
function logistic(samples) {
  let w = samples[0].x.map(() => 0);
  for (let step = 0; step < 30; step++) {
    const matrix = w.map((_, i) => Float64Array.from(w, (__, j) => (i === j ? PRIOR : 0)));
    const right = Float64Array.from(w, (v) => -PRIOR * v);
    for (const { x, good } of samples) {
      const p = chance(w, x);
      for (let i = 0; i < w.length; i++) {
        right[i] += (good - p) * x[i];
        for (let j = 0; j < w.length; j++) matrix[i][j] += p * (1 - p) * x[i] * x[j];
      }
    }
    const by = lib.solve(matrix, right);
    w = w.map((v, i) => v + by[i]);
  }
  return w;
}

const learned = await samplesOf(8_200_000, HEADS);
const others = await samplesOf(8_600_000, HEADS);
const weights = logistic(learned);
console.log(
  `EVEN ${Math.exp(-weights[0] / weights[1]).toFixed(3)}, STEEP ${(-weights[1]).toFixed(1)}, of ${learned.length} boxes`,
);
for (const [name, of] of [
  ['as shipped', ({ confidence }) => confidence],
  ['fitted', ({ x }) => chance(weights, x)],
]) {
  console.log(`${name}, ${others.length} boxes of other heads:`);
  for (let from = 0; from < 1; from += 0.1) {
    const own = others.filter((one) => of(one) >= from && (of(one) < from + 0.1 || from > 0.89));
    const share = own.filter(({ good }) => good).length / own.length;
    console.log(
      `  ${from.toFixed(1)} to ${(from + 0.1).toFixed(1)}: ${own.length}, well ${(100 * share).toFixed(0)} %`,
    );
  }
  const brier = others.reduce((sum, one) => sum + (of(one) - one.good) ** 2, 0) / others.length;
  console.log(`  mean squared difference ${brier.toFixed(4)}`);
}
process.exit(0);
