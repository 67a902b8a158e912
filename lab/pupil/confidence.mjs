// Pupil: the regression that judges outlines of rays, components and votes, fitted to rendered frames alone; reliability of every method's confidence.
//   --quick: an eighth of the frames
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fixed, Report } from '../../bench/parts/report.mjs';
import { areaUnderCurve, dot, fitLogistic, sigmoid } from '../../bench/pupil/parts/logistic.mjs';
import { openPupilPage } from '../../bench/pupil/parts/pupil-page.mjs';
import { realSets } from '../../bench/pupil/parts/real-sets.mjs';
import { reliabilityTable, rightOnReal } from './parts/reliability.mjs';

const RIDGE = 5e-4;
const METHODS = ['starburst', 'threshold', 'hough', 'robust'];
/** Seeds of the hard and the varied set that took no part in any fit. */
const HELD_OUT = { hard: 7002, varied: 2001 };

/** The weights in `rate`, in its order; null where the source reads otherwise than here. */
function weightsInSource(root, count) {
  const text = readFileSync(path.join(root, 'assembly/pupil/search/judge.ts'), 'utf8');
  const body = /let z: f32 = (-?[\d.]+);([\s\S]*?)return z;/.exec(text);
  if (!body) return null;
  const weights = [Number(body[1])];
  for (const [, sign, terms] of body[2].matchAll(/z ([+-])= (.*);/g))
    for (const [, value] of terms.matchAll(/(?:^|\+ )([\d.]+) \* /g)) weights.push(Number(`${sign}${value}`));
  return weights.length === count ? weights : null;
}

/** Frames one after the other, so that the rendering of one is all that is in memory. */
function collect(reader, frames, weightOf) {
  const out = [];
  for (const eye of frames) out.push(...reader.read(eye));
  const weight = weightOf(out.length);
  return out.map((candidate) => ({ ...candidate, weight }));
}

function* everyTwelfth({ paperFrame, PAPER }, step) {
  for (let i = 0; i < PAPER.images; i += 12 * step) yield paperFrame(i);
}

/** Right or not on a rendered frame, by the same rule as in the fit. */
function isRight([found, , x, y, r], { present, ellipse, circle }) {
  if (!present || !found) return false;
  const limit = Math.max(2, 0.12 * circle.r);
  return Math.hypot(x - ellipse.x, y - ellipse.y) <= limit && 0.7 * Math.abs(r - circle.r) <= limit;
}

function isRightOnReal(set, [found, , x, y, r], truth) {
  if (!truth.present || !found) return false;
  return rightOnReal(set, Math.hypot(x - truth.x, y - truth.y), Math.abs(r - truth.r) / truth.r);
}

/** What every method says of frames, whatever its confidence: { p, right, set } of each, by the name of the method. */
async function judged({ shared }, call, quick) {
  const lists = Object.fromEntries(METHODS.map((method) => [method, { rendered: [], real: [] }]));
  const detect = (name, method) => call('detect', name, { method, minConfidence: 0 }, {});
  const [hard, varied] = quick ? [40, 20] : [300, 200];
  const truth = [];
  for (let from = 0; from < hard; from += 20)
    truth.push(...(await call('renderHard', 'held out', from, 20, HELD_OUT.hard)).map((made) => made.truth));
  for (let from = 0; from < varied; from += 20)
    truth.push(...(await call('renderVaried', 'held out', from, 20, HELD_OUT.varied)));
  for (const method of METHODS)
    for (const [i, row] of (await detect('held out', method)).entries())
      if (!truth[i].partial) lists[method].rendered.push({ p: row[1], right: isRight(row, truth[i]) });
  const sets = realSets(shared, quick ? 8 : 1);
  for (const set of sets ?? []) {
    const url = (file) => `/shared/data/pupil/${file}`;
    const name = set.images ? 'images' : 'video';
    if (set.images) await call('loadImages', name, set.images.map(url));
    else await call('loadVideo', name, url(set.video.address), Math.max(...set.video.frames) + 1);
    for (const method of METHODS) {
      const found = await detect(name, method);
      const rows = set.images ? found : set.video.frames.map((frame) => found[frame]);
      lists[method].real.push(
        ...rows.map((row, i) => ({ p: row[1], right: isRightOnReal(set.name, row, set.truth[i]), set: set.name })),
      );
    }
  }
  return { lists, sets };
}

async function reliabilityOf(given, report, quick) {
  const { call } = await openPupilPage(given);
  const { lists, sets } = await judged(given, call, quick);
  report.heading('Reliability of the confidence of every method');
  report.line(
    'Each frame by itself, the best outline of the whole search, whatever its confidence: the share that is right in each tenth of the ' +
      'confidence, percent (Wilson’s 95 % interval), of so many frames. Calibrated would be the middle of each tenth. Rendered: the hard set, ' +
      `seed ${HELD_OUT.hard}, and the varied set, seed ${HELD_OUT.varied}, which took part in no fit, right as above; real: within 5 px and 10 % of the ` +
      'radius (meye-human: within 5 px). A frame without a pupil is never right.',
  );
  if (!sets) report.line('Real recordings: skipped, there is no ../shared/data/pupil.');
  const areas = [['ROC area', 'rendered', 'real sets', 'real sets but pupilcore rec2']];
  for (const method of METHODS) {
    const { rendered, real } = lists[method];
    const columns = [
      ['rendered', rendered],
      ['real sets', real],
      ['real sets but pupilcore rec2', real.filter(({ set }) => set !== 'pupilcore rec2')],
    ].filter(([, list]) => list.length);
    const [head, ...rows] = reliabilityTable(columns);
    report.table([[method, ...head.slice(1)], ...rows]);
    const area = (list) => areaUnderCurve(list.map(({ p }) => p), list.map(({ right }) => right)); // prettier-ignore
    areas.push([method, ...[0, 1, 2].map((k) => (columns[k] ? fixed(area(columns[k][1]), 4) : '-'))]);
  }
  report.table(areas);
}

export default async function confidence(given) {
  const { args, root, importTs, log } = given;
  const quick = args.includes('--quick');
  const report = new Report(given);
  const eyes = await importTs('lab/eyes/index.ts');
  const { FeatureReader, featureNames } = await importTs('lab/pupil/parts/features.ts');
  const reader = await FeatureReader.open(readFileSync(path.join(root, 'dist/kernels.wasm')));
  const count = quick ? 50 : 400;
  const weightOf = (n) => 1 / Math.sqrt(Math.max(1, n));
  const sets = [];
  for (const seed of [101, 202, 303, 404, 505, 606]) {
    sets.push([`hard set, seed ${seed}, ${count} frames`, collect(reader, eyes.hardSet({ seed, count }), weightOf)]);
    log(`read: ${sets.at(-1)[0]}`);
  }
  sets.push(['paper’s set, every twelfth image', collect(reader, everyTwelfth(eyes, quick ? 4 : 1), weightOf)]);
  const rows = sets.flatMap(([, list]) => list);

  report.line(
    'Every start candidate that led to an outline is a case. Right: the distance of the centers, and seven tenths of the error of ' +
      'the radius, at most 2 px or 12 % of the true radius, whatever is more. A set of n cases weighs each by 1/sqrt(n); ' +
      `Newton’s method with a ridge of ${RIDGE} on the standardized features. No real recording takes part in this fit. The judge of ` +
      'starburst, threshold and hough (`rate`) weighs so; `robust` has weights of its own (`tune pupil`).',
  );
  report.table([
    ['fitted to', 'cases', 'right'],
    ...sets.map(([name, list]) => [name, list.length, list.filter(({ right }) => right).length]),
  ]);
  const own = weightsInSource(root, featureNames.length);
  const fitted = fitLogistic(rows, RIDGE);
  report.table([
    ['weight of', 'fitted now', 'in assembly/pupil/search/judge.ts'],
    ...featureNames.map((name, i) => [name, fixed(fitted[i], 4), own ? fixed(own[i], 4) : '-']),
  ]);
  const zNow = rows.map(({ features }) => dot(features, fitted));
  const labels = rows.map(({ right }) => right);
  const lossOf = (scores) =>
    scores.reduce(
      (sum, z, i) => sum - rows[i].weight * Math.log(Math.max(1e-12, labels[i] ? sigmoid(z) : 1 - sigmoid(z))),
      0,
    ) / rows.reduce((sum, { weight }) => sum + weight, 0);
  const scores = rows.map(({ score }) => score);
  if (own) {
    const apart = Math.max(...rows.map(({ features, score }) => Math.abs(dot(features, own) - score)));
    report.line(
      `The log-odds computed here with the weights of the source differ from those of the kernel by at most ${apart.toExponential(1)}: ` +
        `${apart < 0.01 ? 'the features are those of rate()' : 'NOT the features of rate()'}.`,
    );
    const [at, off] = own
      .map((w, i) => [i, Math.abs(w - fitted[i]) / Math.max(Math.abs(w), Math.abs(fitted[i]))])
      .reduce((a, b) => (b[1] > a[1] ? b : a));
    const same = off <= 0.05;
    report.line(
      `The weights of the source are ${same ? '' : 'NOT '}those of this fit: the farthest, ${featureNames[at]}, is off by ${fixed(100 * off, 0)} %.` +
        (same ? '' : ' The search has changed since they were fitted, or they were fitted to other cases.'),
    );
  } else report.line('The weights could not be read from the source: rate() is written differently by now.');
  report.line(
    `Log loss on the cases: ${fixed(lossOf(zNow), 4)} with the weights fitted now, ${fixed(lossOf(scores), 4)} with those of the source. ` +
      `Area under the ROC curve: ${fixed(areaUnderCurve(zNow, labels), 4)} and ${fixed(areaUnderCurve(scores, labels), 4)}.`,
  );

  await reliabilityOf(given, report, quick);
  report.finish('lab/results/accuracy.md', 'confidence pupil', 'confidence pupil');
}
