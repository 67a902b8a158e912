// Constants of what is read of eyes and of looks: irises and gaze, blinks, resemblance, by rendered persons.
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { generator } from '../../../tools/random.mjs';
import { bestLimit, FOLDS, foldOf, grouped, quantile } from '../../../tools/faces/eyes/folds.mjs';
import { look } from '../../../tools/faces/eyes/figures.mjs';
import { between, directionTruth, solveRidge } from '../../../tools/faces/eyes/gazes.mjs';
import { add } from './choice.mjs';
import { at } from './lines.mjs';

/** Others than those of `train:eyes`, of which there are 60. */
const [PERSONS, FIRST] = [40, 2000];
/** The pictures are also looked at smaller. */
const SIZES = [1, 0.6];
/** A gaze that is off by so many degrees is worth nothing. */
const WORTHLESS = 25;
/** Lids that are open, and shut; an open eye that is called shut counts twice (tools/faces/eyes/blinks.mjs). */
const [OPEN, SHUT, COST] = [0.15, 0.95, 2];
/** Share of pairs of two persons that may be as like as one person is to itself. */
const FALSE = 0.02;

export const about = ({ faces }) =>
  `${faces.length} pictures of ${PERSONS} rendered persons, others than those of \`train:eyes\`, at ${SIZES.join(' and ')} of their size; what is fitted is ` +
  'fitted again for each value, to other persons. Worth: the mean of three: gaze of single eyes (1 where exact, 0 from 25 degrees on, and where there ' +
  'is none), open and shut eyes called right, pictures of one person that are more alike than 98 % of those of two. Groups: persons.';

export const constants = at('src/faces', [
  ['iris.ts', 'RADIUS = 0.21', 0.19, 0.23],
  ['iris.ts', 'MARGIN = 0.04', 0.02, 0.06],
  ['iris.ts', 'LEAST_SEEN = 0.4', 0.3, 0.5],
  ['iris.ts', 'LEAST_BESIDE = 0.1', 0.07, 0.14],
  ['iris.ts', 'BELOW, PATCH, SKIN] = [0.45', 0.35, 0.6],
  ['iris.ts', 'BELOW, PATCH, SKIN] = [0.45, 0.2', 0.14, 0.28],
  ['iris.ts', 'BELOW, PATCH, SKIN] = [0.45, 0.2, 0.4', 0.28, 0.55],
  ['gaze.ts', 'LEAST_BARE = 0.02', 0.01, 0.04],
  ['eye-state.ts', 'OPEN = 0.6', 0.5, 0.75],
  ['signature.ts', 'SAMPLES = 12', 9, 16],
  ['signature.ts', 'SPAN = 0.72', 0.6, 0.85],
  ['signature.ts', 'LOWER = 0.06', 0, 0.12],
]);

export async function prepare({ importTs, root, shared }) {
  if (!shared || !existsSync(path.join(shared, 'data/ict'))) return null;
  const rendering = await importTs('tools/faces/eyes/rendering.ts');
  const renderer = new rendering.Renderer(
    rendering.readModel(readFileSync(path.join(shared, 'data/ict/ict-face.bin'))),
  );
  const faces = [];
  for (let first = FIRST; first < FIRST + PERSONS; first += rendering.PERSONS) {
    const { side, records, pictures, points } = rendering.readShard(rendering.renderPersons(renderer, first));
    records.forEach((record, i) => {
      const data = pictures.slice(i * side * side, (i + 1) * side * side);
      const image = { width: side, height: side, data };
      faces.push({ record: { ...record, moment: true }, image, points: points.slice(136 * i, 136 * (i + 1)) });
    });
  }
  const kernels = readFileSync(path.join(root, 'dist/kernels.wasm'));
  return { faces, kernels, model: readFileSync(path.join(root, 'models/landmarks-68.bin')) };
}

const dot = (a, b) => a.reduce((sum, v, i) => sum + v * b[i], 0);

/** Of each trusted eye that is open: by weights that other persons give. */
function gazes(library, seen, count) {
  const open = seen.filter(({ measures, record }) => !measures.warnings.length && record.blink[0] < OPEN);
  const eyes = open
    .filter(({ record }) => !record.worn.includes('sunglasses'))
    .flatMap((face) =>
      face.irises.map((iris, side) => ({
        ...{ face, iris, truth: directionTruth(library, face.record), fold: foldOf(face) },
        columns: iris && library.gazeColumns(face.landmarks, side, iris, face.pose),
      })),
    );
  const known = eyes.filter(({ iris }) => iris?.clearness > 0.3);
  const weights = FOLDS.map((fold) => {
    const others = known.filter((eye) => eye.fold !== fold);
    return [0, 1].map((k) => solveRidge(library, others.map(({ columns }) => columns[k]), others.map(({ truth }) => truth[k]))); // prettier-ignore
  });
  for (const { face, iris, columns, truth, fold } of eyes) {
    const off = iris ? between(weights[fold].map((w, k) => dot(w, columns[k])), truth) : Infinity; // prettier-ignore
    count(face, { eyes: 1, gaze: Math.max(0, 1 - off / WORTHLESS) });
  }
}

/** By what the other pictures of a person have as open, and a limit that other persons give. */
function blinks(library, seen, count) {
  const lidsOf = ({ record }) => (record.blink[0] + record.blink[1]) / 2;
  const trusted = seen.filter(
    ({ measures, record }) => !measures.warnings.length && !record.worn.includes('sunglasses'),
  );
  const groups = grouped(trusted, ({ record, share }) => `${record.person} ${share}`);
  const samples = trusted.flatMap((face) => {
    const own = groups.get(`${face.record.person} ${face.share}`);
    const others = own.filter((other) => other !== face && lidsOf(other) < OPEN);
    const lids = lidsOf(face);
    if (others.length < 3 || (lids >= OPEN && lids <= SHUT)) return [];
    const open = [0, 1].map((side) => library.openOf(others.map(({ measures }) => measures.eyes[side].opening)));
    const value = face.measures.eyes.reduce((sum, { opening }, side) => sum + opening / open[side] / 2, 0);
    return [{ face, value, positive: lids > SHUT }];
  });
  const limits = FOLDS.map((fold) => bestLimit(samples.filter(({ face }) => foldOf(face) !== fold), COST)); // prettier-ignore
  for (const { face, value, positive } of samples)
    count(face, { lids: 1, called: Number(value < limits[foldOf(face)] === positive) });
}

function resemblances(library, seen, count) {
  const whole = seen.filter(({ share, signature, confidence }) => share === 1 && signature && confidence > 0.8);
  const random = generator(8);
  const others = whole.flatMap((face) =>
    whole
      .filter(({ record }) => record.person !== face.record.person && random() < 0.1)
      .map((other) => library.resemblance(face.signature, other.signature)),
  );
  const limit = quantile(others, 1 - FALSE);
  for (const [i, face] of whole.entries())
    for (const other of whole.slice(i + 1))
      if (other.record.person === face.record.person) {
        const alike = library.resemblance(face.signature, other.signature) >= limit;
        count(face, { pairs: 1, alike: Number(alike) });
      }
}

/** By person: eyes and what their gaze is worth, lids and those called right, pairs and those alike. */
export async function measure({ importTs }, { faces, kernels, model }) {
  const library = await importTs('tools/faces/eyes/library.ts');
  const runtime = await library.Runtime.create({ module: await WebAssembly.compile(kernels) });
  const seen = look(library, runtime, library.readLandmarks(new Uint8Array(model)), faces, SIZES);
  runtime.dispose();
  const groups = {};
  const count = ({ record }, counts) => {
    const name = `person ${record.person}`;
    groups[name] = add(groups[name] ?? {}, counts);
  };
  for (const part of [gazes, blinks, resemblances]) part(library, seen, count);
  return groups;
}

const share = (part, all) => (all ? (part ?? 0) / all : 0);
const parts = ({ eyes, gaze, lids, called, pairs, alike }) => [
  share(gaze, eyes),
  share(called, lids),
  share(alike, pairs),
];

export const worth = (counts) => parts(counts).reduce((a, b) => a + b, 0) / 3;

export const figures = (counts) => {
  const [gaze, lids, alike] = parts(counts);
  return `gaze ${gaze.toFixed(3)} of ${counts.eyes} eyes, lids called right ${lids.toFixed(3)}, ${alike.toFixed(3)} of ${counts.pairs} pairs alike`;
};
