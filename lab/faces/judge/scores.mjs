// What a score of the judge says: the share of boxes with it that are faces, in procedural pictures with rendered faces that
// neither the judge nor its templates have learned from. A line on the log odds is fitted, with persons held out.
import { overlap } from '../../../bench/parts/numbers.mjs';
import { fixed } from '../../../bench/parts/report.mjs';
import { wilson } from '../../../bench/parts/intervals.mjs';
import { dot, fitLogistic, sigmoid } from '../../../bench/pupil/parts/logistic.mjs';
import { scenesOf } from './scenes.mjs';

/** Boxes that score less are no candidates: nearly none of them is right. */
const LEAST = 0.02;
const FOLDS = 5;
const BANDS = [0.02, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 1];
const RIGHT = 0.5;

const logOdds = (score) => Math.max(-8, Math.min(8, Math.log(score / (1 - score))));
/** A score as it was judged, of a reported one. */
export const asJudged = (share, { slope, factor }) => 1 / (1 + ((1 / share - 1) / factor) ** (1 / slope));

/** Boxes of pictures, each right or not: [{ person, score, right }]; scores as they were judged. */
export async function judgedBoxes(engine, images, table, options) {
  const rows = [];
  for await (const image of images) {
    const boxes = await engine.detectFaces(image, { minScore: LEAST, ...options(image) });
    const left = new Set(image.faces);
    for (const box of boxes) {
      const face = [...left].find((one) => overlap(one.box, box) >= RIGHT);
      left.delete(face);
      const right = Boolean(face) || image.beside.some((one) => overlap(one, box) >= 0.4);
      rows.push({ person: image.person, score: asJudged(box.score, table), right });
    }
  }
  return rows;
}

/** Rows of a table: bands of a number, and how many that have it are right. */
export function reliabilityRows(label, pairs) {
  return BANDS.slice(1).flatMap((to, i) => {
    const own = pairs.filter(({ p }) => p >= BANDS[i] && (p < to || to === 1));
    if (!own.length) return [];
    const right = own.filter((one) => one.right).length;
    const [low, high] = wilson(right, own.length).map((v) => fixed(v / 100, 2));
    const mean = own.reduce((sum, { p }) => sum + p, 0) / own.length;
    return [[label, `${BANDS[i]} to ${to}`, own.length, fixed(mean, 2), fixed(right / own.length, 2), `${low} to ${high}`]]; // prettier-ignore
  });
}
export const RELIABILITY = ['numbers', 'band', 'n', 'mean', 'right', '95 %'];

/** Mean distance of bands from the share that is right, and the mean logarithm of what was said of what came true. */
export function lossOf(pairs) {
  const gap = BANDS.slice(1).reduce((sum, to, i) => {
    const own = pairs.filter(({ p }) => p >= BANDS[i] && (p < to || to === 1));
    return sum + Math.abs(own.reduce((total, { p, right }) => total + p - Number(right), 0));
  }, 0);
  const log = pairs.reduce((sum, { p, right }) => sum - Math.log(Math.max(1e-6, right ? p : 1 - p)), 0);
  return { gap: gap / pairs.length, log: log / pairs.length };
}

/** A line on log odds, fitted to all, and what it says of each fold of persons when fitted to the others. */
export function fitLine(rows) {
  const all = rows.map((row) => ({ ...row, features: [1, logOdds(row.score)], weight: 1 }));
  const said = (weights, { features }) => sigmoid(dot(weights, features));
  const weights = fitLogistic(all, 1e-5);
  const held = Array.from({ length: FOLDS }, (_, k) =>
    fitLogistic(
      all.filter(({ person }) => person % FOLDS !== k),
      1e-5,
    ),
  );
  return {
    constant: Number(weights[0].toFixed(2)),
    slope: Number(weights[1].toFixed(2)),
    inSample: all.map((row) => ({ p: said(weights, row), right: row.right })),
    heldOut: all.map((row) => ({ p: said(held[row.person % FOLDS], row), right: row.right })),
  };
}

export const asIs = (rows) => rows.map(({ score, right }) => ({ p: score, right }));
export const lossLine = (words, pairs) => {
  const { gap, log } = lossOf(pairs);
  return [words, pairs.length, fixed(gap, 4), fixed(log, 4)];
};

/** Prints tables of scores, of renders and of `photographs` (images, as bench/faces/parts/data.mjs has them), and gives the line. */
export async function scoreFigures({ importTs }, folder, report, photographs) {
  const { createEngine, scoreTable } = await importTs('bench/faces/parts/library.ts');
  const engine = await createEngine();
  const rows = await judgedBoxes(engine, scenesOf(folder, importTs), scoreTable, () => ({ minSize: 24 }));
  const { inSample, heldOut, ...line } = fitLine(rows);
  const table = [...reliabilityRows('as judged', asIs(rows)), ...reliabilityRows('reported, persons held out', heldOut), ...reliabilityRows('reported, in-sample', inSample)]; // prettier-ignore
  const losses = [lossLine('renders, as judged', asIs(rows)), lossLine('renders, persons held out', heldOut), lossLine('renders, in-sample', inSample)]; // prettier-ignore
  if (photographs) {
    const scale = ({ width, height }) => ({ minSize: 30 * Math.max(1, Math.max(width, height) / 640) });
    const seen = await judgedBoxes(engine, photographs, scoreTable, scale);
    const reported = seen.map(({ score, right }) => ({
      p: sigmoid(line.constant + line.slope * logOdds(score)),
      right,
    }));
    table.push(...reliabilityRows('photographs, as judged', asIs(seen)), ...reliabilityRows('photographs, reported', reported)); // prettier-ignore
    losses.push(lossLine('photographs, as judged', asIs(seen)), lossLine('photographs, reported', reported));
  }
  await engine.dispose();
  report.table([RELIABILITY, ...table]);
  report.table([['numbers', 'boxes', 'mean distance of bands from what is right', 'mean log loss'], ...losses]);
  report.line(`Log odds of what is reported: ${line.slope} times those of the score, and ${line.constant}. Boxes from a score of ${LEAST} on.`); // prettier-ignore
  return line;
}
