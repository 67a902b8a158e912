// Trains an ensemble of regression trees for landmarks (Kazemi and Sullivan 2014) on annotated faces. What differs from the
// paper: faces are read from patches of one size and contrast (src/models/landmarks.ts), leaves are coefficients of a shape
// space, and starts differ by boxes as wrong as the detector's.
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { shared, sharedArray } from './dataset.mjs';
import { generator, normal } from '../../tools/random.mjs';
import { makeSamples } from './samples.mjs';
import { LYING, PARTS, slotsOf } from './worker.mjs';

export const defaults = {
  cascades: 14,
  /** Of these so many find how a face lies; it is then cut out upright and of one size, and the others go on there. */
  first: 4,
  /** How far faces that are learned from are cut out otherwise: turn, share of size and place. */
  shake: 0.02,
  trees: 280,
  depth: 5,
  /** Feature pixels a cascade; how far they lie from their point, in sides of the box, in the first and the last cascade. */
  pixels: 500,
  far: 0.12,
  near: 0.06,
  /** Pairs that are tried at a node; how far their pixels lie apart. */
  pairs: 32,
  lambda: 0.1,
  /** Samples, and directions of the shape space, by which a tree's splits are judged; least share of samples on a side. */
  chosen: 16000,
  directions: 12,
  least: 0.002,
  shrinkage: 0.1,
  /** Leaves of few samples count less: as if so many more had no error at all. */
  doubt: 0,
  /** Directions of the shape space. */
  coefficients: 48,
  /** Boxes of every face, and as many of its mirror image. */
  boxes: 2,
  /** So many more of faces that are turned to a side. */
  turned: 2,
  /** How far these are off, in errors of the detector: what starts badly is to be found too. */
  spread: 1.25,
  /** Every so manyeth face is held back, and tells the error; 0: none. */
  held: 20,
  /** Pixels of a patch, and of the box in its middle. */
  side: 168,
  zoom: 110,
  /** Squares that a feature is the mean of reach so many pixels about it: in the first and the last cascades. */
  coarse: 3,
  middle: 2,
  fine: 1,
  seed: 1,
  threads: availableParallelism(),
};

const MODEL = ['splitPixels', 'thresholds', 'leaves'];

/**
 * @param faces    as readFaces gives them (dataset.mjs)
 * @param options  `defaults`; `box`: how the boxes lie to those of the detector, `notice`, `resume`: what `checkpoint` gave
 * @param report   gets ({ cascade, tree }) and ({ done, learned, held, checkpoint }), errors in eyes' distances
 * @returns a LandmarkModel (src/models/landmarks.ts)
 */
export async function trainLandmarks(faces, given = {}, report = () => {}) {
  const options = { ...defaults, ...given };
  const { cascades, first, trees, depth, pixels, side, zoom, threads, resume } = options;
  const samples = makeSamples(faces, options);
  const { size, mean } = samples;
  const inner = 2 ** depth - 1;
  const model = {
    mean,
    anchors: sharedArray(Uint16Array, cascades * pixels),
    deltas: sharedArray(Float32Array, 2 * cascades * pixels),
    radii: sharedArray(Int32Array, cascades),
    splitPixels: sharedArray(Uint16Array, 2 * cascades * trees * inner),
    thresholds: sharedArray(Float32Array, cascades * trees * inner),
    leaves: sharedArray(Float32Array, size * cascades * trees * (inner + 1)),
  };
  placeFeatures(model, options);
  samples.starts = shared(samples.residuals);
  if (resume) {
    for (const name of MODEL) model[name].set(resume[name]);
    for (const name of LYING) samples[name].set(resume[name]);
  }
  const state = {
    ...{ samples, model, threads, done: resume?.done ?? 0 },
    faces: { side: faces.side, gray: faces.gray },
    options: Object.fromEntries(Object.keys(defaults).map((name) => [name, options[name]])),
    features: sharedArray(Int16Array, pixels * samples.count),
    slots: sharedArray(Float64Array, slotsOf(options)),
    partial: sharedArray(Float64Array, PARTS * (inner + 1) * (size + 1)),
    leafOf: sharedArray(Uint16Array, samples.count),
    errors: sharedArray(Float64Array, 4 * PARTS),
    sync: sharedArray(Int32Array, 2),
  };
  await runThreads(state, (message) => {
    if (!message.done) return report(message);
    const { done, lying, errors } = message;
    const learned = Object.fromEntries(MODEL.map((name) => [name, model[name]]));
    report({ done, ...errorsOf(errors), checkpoint: { done, ...learned, ...lying } });
  });
  return {
    ...{ points: mean.length / 2, cascades, trees, depth, pixels, box: options.box, notice: options.notice ?? '' },
    ...model,
    patch: { side, zoom, first, radii: model.radii, basis: samples.basis },
  };
}

function errorsOf(errors) {
  const sums = [0, 0, 0, 0];
  errors.forEach((v, k) => (sums[k % 4] += v));
  return { learned: sums[0] / sums[1], held: sums[3] ? sums[2] / sums[3] : NaN };
}

/** Feature pixels about points drawn at random, closer from cascade to cascade. */
function placeFeatures({ anchors, deltas, radii, mean }, { cascades, pixels, far, near, coarse, middle, fine, seed }) {
  const random = generator(seed + 1);
  for (let c = 0; c < cascades; c++) {
    radii[c] = [coarse, middle, fine][Math.floor((3 * c) / cascades)];
    const spread = far * (near / far) ** (cascades > 1 ? c / (cascades - 1) : 0);
    for (let i = c * pixels; i < (c + 1) * pixels; i++) {
      anchors[i] = Math.floor((random() * mean.length) / 2);
      deltas.set([spread * normal(random), spread * normal(random)], 2 * i);
    }
  }
}

async function runThreads(state, report) {
  const workers = [];
  try {
    await Promise.all(
      Array.from(
        { length: state.threads },
        (_, rank) =>
          new Promise((resolve, reject) => {
            const worker = new Worker(new URL(import.meta.url), { workerData: { trainer: { state, rank } } });
            workers.push(worker);
            worker.on('message', (message) => {
              if (message.error) reject(new Error(message.error));
              else report(message);
            });
            worker.once('error', reject);
            worker.once('exit', resolve);
          }),
      ),
    );
  } finally {
    await Promise.all(workers.map((worker) => worker.terminate()));
  }
}
