// Trains an ensemble of regression trees for landmarks (Kazemi and Sullivan 2014) on annotated images.
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { bestSplit, candidates, generator, principalDirections, project, readFeatures } from './trees.mjs';

export const defaults = {
  cascades: 10,
  trees: 120,
  depth: 3,
  pixels: 400,
  tests: 24,
  /** Directions of the residuals by which splits are judged; 0: all values. */
  directions: 12,
  /** Starts of every face: in boxes that are not quite right, turned, and mirrored where that is known. */
  oversampling: 200,
  shrinkage: 0.05,
  /** How far boxes are moved and scaled, in their sides, and turned, in radians. */
  jitter: 0.1,
  turn: 0.25,
  /** Contrast of a sample differs by up to this share, and every gray value by up to this many levels. */
  contrast: 0.3,
  noise: 4,
  /** Leaves of few samples count less: as if so many more had no error at all. */
  doubt: 0,
  /** Feature pixels lie around the mean shape, this much further out. */
  padding: 0.1,
  seed: 1,
  threads: Math.min(4, availableParallelism()),
};

/** Where each of the 68 points is in a mirrored face. */
const mirror68 = [
  ...Array.from({ length: 17 }, (_, i) => 16 - i),
  ...Array.from({ length: 10 }, (_, i) => 26 - i),
  ...[27, 28, 29, 30, 35, 34, 33, 32, 31],
  ...[45, 44, 43, 42, 47, 46, 39, 38, 37, 36, 41, 40],
  ...[54, 53, 52, 51, 50, 49, 48, 59, 58, 57, 56, 55],
  ...[64, 63, 62, 61, 60, 67, 66, 65],
];

class Pool {
  constructor(threads) {
    this.workers = Array.from({ length: threads }, () => new Worker(new URL('worker.mjs', import.meta.url)));
  }

  set(state) {
    for (const worker of this.workers) worker.postMessage({ set: state });
  }

  /** The best of the candidates; the first of equals, however many threads there are. */
  async best({ members, total, tests }) {
    const share = Math.ceil(tests.length / this.workers.length);
    const answers = await Promise.all(
      this.workers.map(
        (worker, i) =>
          new Promise((resolve, reject) => {
            const own = tests.slice(i * share, (i + 1) * share);
            if (!own.length) return resolve({ score: -1 });
            worker.removeAllListeners();
            worker.once('message', resolve);
            worker.once('error', reject);
            worker.postMessage({ members, total, tests: own });
          }),
      ),
    );
    return answers.reduce((a, b) => (b.score > a.score ? b : a));
  }

  async close() {
    await Promise.all(this.workers.map((worker) => worker.terminate()));
  }
}

/** A copy that all threads see. */
function shared(array) {
  const out = new array.constructor(new SharedArrayBuffer(array.byteLength));
  out.set(array);
  return out;
}

/**
 * @param images  [{ width, height, data: Uint8Array }]
 * @param faces   [{ image, box: { x, y, width, height }, points: [x, y, ...] in pixels }], boxes as the detector's
 * @returns a LandmarkModel (src/models/landmarks.ts); its boxes are those that were given
 */
export async function trainLandmarks(images, faces, options = {}, progress = () => {}) {
  const o = { ...defaults, ...options };
  const random = generator(o.seed);
  const values = faces[0].points.length;
  const points = values / 2;
  const inBox = ({ x, y, width, height }, shape) =>
    shape.map((v, k) => (k % 2 ? (v - y) / (height - 1) : (v - x) / (width - 1)));
  const mean = new Float32Array(values);
  for (const { box, points: shape } of faces) inBox(box, shape).forEach((v, k) => (mean[k] += v / faces.length));

  // The prediction starts at the mean shape; boxes that are off are what makes the starts differ.
  const mirrored = points === 68 ? mirror68 : null;
  const samples = [];
  const starts = [];
  const targets = [];
  for (const face of faces)
    for (let n = 0; n < o.oversampling; n++) {
      const off = (most) => (random() * 2 - 1) * (n ? most : 0);
      const { x, y, width, height } = face.box;
      const scale = 1 + off(o.jitter);
      const angle = off(o.turn);
      const [w, h] = [(width - 1) * scale, (height - 1) * scale];
      const [cx, cy] = [x + width * (0.5 + off(o.jitter)), y + height * (0.5 + off(o.jitter))];
      const sign = mirrored && n % 2 ? -1 : 1;
      const [c, d] = [Math.cos(angle), Math.sin(angle)];
      // From the unit square to the image: mirrored, scaled, turned about the box's center.
      const [xx, xy, yx, yy] = [sign * w * c, -h * d, sign * w * d, h * c];
      const place = { xx, xy, yx, yy, ox: cx - (xx + xy) / 2, oy: cy - (yx + yy) / 2 };
      samples.push({ image: face.image, place, gain: 1 + off(o.contrast) });
      starts.push(...mean);
      const determinant = xx * yy - xy * yx;
      const own = new Array(values);
      for (let p = 0; p < points; p++) {
        const from = 2 * (sign < 0 ? mirrored[p] : p);
        const [px, py] = [face.points[from] - place.ox, face.points[from + 1] - place.oy];
        own[2 * p] = (yy * px - xy * py) / determinant;
        own[2 * p + 1] = (xx * py - yx * px) / determinant;
      }
      targets.push(...own);
    }
  const current = Float32Array.from(starts);
  const target = Float32Array.from(targets);
  const inner = 2 ** o.depth - 1;
  const model = {
    points,
    cascades: o.cascades,
    trees: o.trees,
    depth: o.depth,
    pixels: o.pixels,
    box: { x: 0, y: 0, size: 1 },
    mean,
    anchors: new Uint16Array(o.cascades * o.pixels),
    deltas: new Float32Array(2 * o.cascades * o.pixels),
    splitPixels: new Uint16Array(2 * o.cascades * o.trees * inner),
    thresholds: new Float32Array(o.cascades * o.trees * inner),
    leaves: new Float32Array(values * o.cascades * o.trees * (inner + 1)),
    notice: options.notice ?? '',
  };
  const bounds = (k) => {
    const all = Array.from(mean).filter((_, i) => i % 2 === k);
    return [Math.min(...all) - o.padding, Math.max(...all) + o.padding];
  };
  const [x, y] = [bounds(0), bounds(1)];
  const pool = o.threads > 1 ? new Pool(o.threads) : null;
  try {
    for (let c = 0; c < o.cascades; c++) {
      const places = new Float32Array(2 * o.pixels);
      for (let i = 0; i < o.pixels; i++) {
        places[2 * i] = x[0] + random() * (x[1] - x[0]);
        places[2 * i + 1] = y[0] + random() * (y[1] - y[0]);
        let anchor = 0;
        let least = Infinity;
        for (let p = 0; p < points; p++) {
          const d = (mean[2 * p] - places[2 * i]) ** 2 + (mean[2 * p + 1] - places[2 * i + 1]) ** 2;
          if (d < least) [least, anchor] = [d, p];
        }
        model.anchors[c * o.pixels + i] = anchor;
        model.deltas[2 * (c * o.pixels + i)] = places[2 * i] - mean[2 * anchor];
        model.deltas[2 * (c * o.pixels + i) + 1] = places[2 * i + 1] - mean[2 * anchor + 1];
      }
      const anchors = model.anchors.subarray(c * o.pixels, (c + 1) * o.pixels);
      const deltas = model.deltas.subarray(2 * c * o.pixels, 2 * (c + 1) * o.pixels);
      const features = shared(
        readFeatures({ mean, current, values, anchors, deltas, samples, images, noise: o.noise, random }),
      );
      const residuals = target.map((v, k) => v - current[k]);
      const directions = Math.min(o.directions || values, values);
      const basis = principalDirections(residuals, values, directions, random);
      const along = shared(project(residuals, values, basis));
      const state = { features, pixels: o.pixels, residuals: along, values: directions };
      pool?.set(state);
      for (let t = 0; t < o.trees; t++) {
        const tree = c * o.trees + t;
        let level = [{ node: 0, members: samples.map((_, s) => s) }];
        for (let d = 0; d < o.depth; d++) {
          const next = [];
          for (const { node, members } of level) {
            const total = new Float64Array(directions);
            for (const s of members) for (let k = 0; k < directions; k++) total[k] += along[s * directions + k];
            const tests = candidates(random, o.tests, places);
            const job = { members, total, tests };
            // Small nodes are not worth the way to other threads.
            const { test } = pool && members.length > 500 ? await pool.best(job) : bestSplit({ ...state, ...job });
            const split = tree * inner + node;
            model.splitPixels.set([test.i, test.j], 2 * split);
            model.thresholds[split] = test.threshold;
            const goesLeft = (s) => features[s * o.pixels + test.i] - features[s * o.pixels + test.j] > test.threshold;
            next.push({ node: 2 * node + 1, members: members.filter(goesLeft) });
            next.push({ node: 2 * node + 2, members: members.filter((s) => !goesLeft(s)) });
          }
          level = next;
        }
        for (const { node, members } of level) {
          const leaf = values * (tree * (inner + 1) + node - inner);
          if (!members.length) continue;
          for (let k = 0; k < values; k++) {
            let sum = 0;
            for (const s of members) sum += residuals[s * values + k];
            model.leaves[leaf + k] = (o.shrinkage * sum) / (members.length + o.doubt);
          }
          const own = model.leaves.subarray(leaf, leaf + values);
          const step = basis.map((direction) => own.reduce((sum, v, k) => sum + v * direction[k], 0));
          for (const s of members) {
            for (let k = 0; k < values; k++) residuals[s * values + k] -= own[k];
            for (let k = 0; k < directions; k++) along[s * directions + k] -= step[k];
          }
        }
      }
      let error = 0;
      for (let k = 0; k < current.length; k++) {
        current[k] = target[k] - residuals[k];
        error += Math.abs(residuals[k]);
      }
      progress(c + 1, o.cascades, error / current.length);
    }
  } finally {
    await pool?.close();
  }
  return model;
}
