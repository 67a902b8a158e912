// The confidence of a landmark model: trees that tell from what a fit leaves behind (feature pixels of the last cascade at the
// points that were found, traces of the fit) the odds that the points lie well. Friedman's gradient boosting of the logistic
// loss (Annals of Statistics 29(5), 2001), on rendered faces that the model has not learned from.
import { generator } from '../../tools/random.mjs';
import { boxOf, jittered } from './shapes.mjs';
import { imageOf, sharedArray } from './dataset.mjs';
import { measureOf } from './samples.mjs';
import { bestSplit, drawPairs, splitRoom } from './trees.mjs';

export const judgeDefaults = {
  judges: 160,
  judgesDepth: 4,
  judgesPairs: 64,
  /** Points lie well when their mean distance to where they belong is at most this share of that of the outer eye corners. */
  well: 0.1,
  judgesShrinkage: 0.08,
  /** Least number of faces in a leaf. */
  leastFaces: 40,
  /** Boxes of every face as the detector's, and such that hold only a part of a face or more than one. */
  judgedBoxes: 3,
  strayBoxes: 1,
};

/** A box that may hold anything near the face. */
function stray({ x, y, width }, random) {
  const side = width * 2 ** (2.4 * random() - 1.2);
  const [cx, cy] = [x, y].map((v) => v + width * (0.5 + 1.6 * (random() - 0.5)));
  return { x: cx - side / 2, y: cy - side / 2, width: side, height: side };
}

/** Mean distance of points over that of the outer eye corners. */
export function errorOf(shape, points) {
  let sum = 0;
  for (let k = 0; k < points.length; k += 2) sum += Math.hypot(shape[k] - points[k], shape[k + 1] - points[k + 1]);
  return (2 * sum) / points.length / measureOf(points);
}

/** Boxes of a face: as the detector's, then stray ones. */
export function boxesOf(points, { judgedBoxes, strayBoxes }, random) {
  const box = boxOf(points);
  return [
    ...Array.from({ length: judgedBoxes }, () => jittered(box, random)),
    ...Array.from({ length: strayBoxes }, () => stray(box, random)),
  ];
}

/**
 * @param faces  rendered faces (dataset.mjs)
 * @param fit    of (image, boxes): { shape, numbers } of each, the numbers being feature pixels and traces
 * @param report gets how far it is, 0 to 1
 * @returns LandmarkConfidence (src/models/landmarks.ts)
 */
export function trainConfidence(faces, { mean, deltas, anchors, pixels, weights }, fit, given = {}, report = () => {}) {
  const options = { ...judgeDefaults, seed: 1, ...given };
  const random = generator(options.seed + 31);
  const samples = [];
  for (let n = 0; n < faces.count; n++) {
    const points = faces.shapes.subarray(n * faces.values, (n + 1) * faces.values);
    for (const { shape, numbers } of fit(imageOf(faces, n), boxesOf(points, options, random)))
      samples.push({ numbers, good: errorOf(shape, points) <= options.well });
    report(n / faces.count);
  }
  const count = samples.length;
  const length = samples[0].numbers.length;
  const features = sharedArray(Int16Array, length * count);
  samples.forEach(({ numbers }, s) => numbers.forEach((v, k) => (features[k * count + s] = v)));
  // Places of the feature pixels in the mean shape: those that lie close make better pairs.
  const places = Float32Array.from({ length: 2 * pixels }, (_, k) => mean[2 * anchors[k >> 1] + (k % 2)] + deltas[k]);
  return { weights, ...boost({ samples, features, count, length, pixels, places }, options, random) };
}

function boost({ samples, features, count, length, pixels, places }, options, random) {
  const { judges: trees, judgesDepth: depth, judgesPairs, judgesShrinkage, leastFaces } = options;
  const inner = 2 ** depth - 1;
  const splitPixels = new Uint16Array(2 * trees * inner);
  const thresholds = new Float32Array(trees * inner);
  const leaves = new Float32Array(trees * (inner + 1));
  const good = samples.reduce((sum, s) => sum + s.good, 0);
  const start = Math.log((good + 1) / (count - good + 1));
  const odds = new Float64Array(count).fill(start);
  const rows = new Float32Array(count);
  const chosen = Uint32Array.from({ length: count }, (_, s) => s);
  const room = splitRoom(count, 1);
  for (let tree = 0; tree < trees; tree++) {
    for (let s = 0; s < count; s++) rows[s] = samples[s].good - 1 / (1 + Math.exp(-odds[s]));
    let nodes = [chosen];
    for (let level = 0, node = 0; level < depth; level++) {
      const below = [];
      for (const members of nodes) {
        const pairs = drawPairs(random, judgesPairs, places, 0.1);
        // Half of them are traces, compared with the first one, which is 0.
        for (let k = 0; k < judgesPairs / 2; k++)
          pairs.set([pixels + 1 + Math.floor(random() * (length - pixels - 1)), pixels], 2 * k);
        const given = { features, samples: count, chosen, rows, directions: 1 };
        const least = Math.min(leastFaces, members.length / 4);
        const best = bestSplit(given, members, members.length, pairs, 0, judgesPairs, least, room);
        const split = tree * inner + node++;
        splitPixels.set([best.i, best.j], 2 * split);
        thresholds[split] = best.threshold;
        const left = (s) => features[best.i * count + s] - features[best.j * count + s] > best.threshold;
        below.push(
          members.filter(left),
          members.filter((s) => !left(s)),
        );
      }
      nodes = below;
    }
    nodes.forEach((members, leaf) => {
      let [sum, spread] = [0, 0];
      for (const s of members) {
        sum += rows[s];
        const p = samples[s].good - rows[s];
        spread += p * (1 - p);
      }
      const value = Math.fround(Math.max(-2, Math.min(2, sum / (spread + 2))) * judgesShrinkage);
      leaves[tree * (inner + 1) + leaf] = value + (tree ? 0 : start);
      for (const s of members) odds[s] += value;
    });
  }
  return { trees, depth, splitPixels, thresholds, leaves };
}
