// Pupil: the regression behind the confidence, fitted to rendered frames alone; reliability and ROC, real sets beside.
//   --quick: an eighth of the frames
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fixed, Report } from '../parts/report.mjs';
import { areaUnderCurve, BINS, dot, fitLogistic, reliability, sigmoid } from './parts/logistic.mjs';
import { openPupilPage } from './parts/pupil-page.mjs';
import { realSets } from './parts/real-sets.mjs';

const RIDGE = 5e-4;
const HELD_OUT = 20;

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

/** Right or not, by the same rule as in the fit. */
function isRight([, , x, y, r], truth) {
  if (!truth.present) return false;
  const limit = Math.max(2, 0.12 * truth.r);
  return Math.hypot(x - truth.x, y - truth.y) <= limit && 0.7 * Math.abs(r - truth.r) <= limit;
}

export default async function confidence(given) {
  const { args, root, shared, importTs, log } = given;
  const quick = args.includes('--quick');
  const report = new Report(given);
  const eyes = await importTs('tools/eyes/index.ts');
  const { FeatureReader, featureNames } = await importTs('bench/pupil/parts/features.ts');
  const reader = await FeatureReader.open(readFileSync(path.join(root, 'dist/kernels.st.wasm')));
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
      `Newton’s method with a ridge of ${RIDGE} on the standardized features. No real recording takes part in this fit.`,
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

  report.heading('Reliability of the tracker’s confidence');
  report.line(
    'Each frame by itself, the best outline of the whole search, whatever its confidence. Right as above; a frame without a ' +
      'pupil is never right. Share right (number of frames) per range of confidence.',
  );
  const table = [['', 'frames', 'ROC area', ...BINS.slice(1).map((high, i) => `${BINS[i]} to ${Math.min(1, high)}`)]];
  const { call } = await openPupilPage(given);
  const add = (name, found, truth) => {
    const right = found.map((row, i) => isRight(row, truth[i]));
    const p = found.map((row) => row[1]);
    table.push([
      name,
      found.length,
      fixed(areaUnderCurve(p, right), 4),
      ...reliability(p, right).map(({ n, right }) => (n ? `${fixed(100 * right, 0)} % (${n})` : '-')),
    ]);
  };
  const all = { minConfidence: 0 };
  const truth = [];
  const held = quick ? 40 : 300;
  for (let from = 0; from < held; from += 20)
    truth.push(
      ...(await call('renderHard', 'held out', from, 20, HELD_OUT)).map(({ truth: t }) =>
        t.present ? { present: true, x: t.ellipse.x, y: t.ellipse.y, r: t.circle.r } : { present: false },
      ),
    );
  add(`hard set, seed ${HELD_OUT}, not in the fit`, await call('detect', 'held out', all, {}), truth);
  const real = realSets(shared, quick ? 8 : 1);
  if (!real) report.line('Real recordings: skipped, there is no ../shared/data/pupil.');
  for (const set of real ?? []) {
    const url = (file) => `/shared/data/pupil/${file}`;
    const name = set.images ? 'images' : 'video';
    if (set.images) await call('loadImages', name, set.images.map(url));
    else await call('loadVideo', name, url(set.video.address), Math.max(...set.video.frames) + 1);
    const found = await call('detect', name, all, {});
    add(set.name, set.images ? found : set.video.frames.map((frame) => found[frame]), set.truth);
  }
  report.table(table);
  report.finish('docs/accuracy-tables.md', 'confidence pupil', 'confidence pupil');
}
