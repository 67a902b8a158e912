// Pupil: the proportions of the first weights of the confidence of method 'robust', fitted to rendered frames alone, beside that in use.
//   --quick: a tenth of the frames
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fixed, Report } from '../../bench/parts/report.mjs';
import { areaUnderCurve, dot, fitLogistic } from '../../bench/pupil/parts/logistic.mjs';

const RIDGE = 5e-4;

export default async function robustFit(given) {
  const { args, root, importTs, log } = given;
  const quick = args.includes('--quick') ? 10 : 1;
  const report = new Report(given);
  const eyes = await importTs('lab/eyes/index.ts');
  const { PROPORTIONED, RobustReader, robustWeights } = await importTs('lab/pupil/parts/robust-features.ts');
  const reader = await RobustReader.open(readFileSync(path.join(root, 'dist/kernels.wasm')));
  const read = (name, count, frameOf) => {
    const rows = [];
    const frames = [];
    for (let i = 0; i < count / quick; i++) {
      const list = reader.read(frameOf(i));
      const weight = 1 / Math.sqrt(Math.max(1, list.length));
      frames.push(list.map((one) => ({ ...one, features: one.features.slice(0, PROPORTIONED), weight })));
      rows.push(...frames.at(-1));
    }
    log(`read: ${name}`);
    return [name, Math.ceil(count / quick), rows, frames];
  };
  const fitted = [
    read('varied set, seed 1001', 900, (i) => eyes.variedFrame(i, 1001)),
    read('varied set, seed 1002', 900, (i) => eyes.variedFrame(i, 1002)),
    read('eyeless frames of the varied set, seed 1003', 480, (i) => eyes.variedFrame(10 * i + 9, 1003)),
    read('dark shapes, seed 1004', 150, (i) => eyes.shapesFrame(i, 1004)),
  ];
  const held = [
    read('varied set, seed 2001', 500, (i) => eyes.variedFrame(i, 2001)),
    read('hard set, seed 7001', 200, (i) => eyes.hardFrame(i, 7001)),
  ];
  report.line(
    'Every outline that is judged in a frame is a case, each by 1/sqrt(cases of the frame). Right: the distance of the ' +
      'centers, and seven tenths of the error of the radius, at most 1.5 px or 12 % of the true radius; centers within twice ' +
      `that but not right are left out. Newton’s method, ridge ${RIDGE} on standardized features. No real recording takes part.`,
  );
  report.table([
    ['', 'frames', 'cases', 'right', 'ROC area with the weights in use'],
    ...[...fitted, ...held].map(([name, frames, rows], i) => {
      const labels = rows.map(({ right }) => right);
      const area = areaUnderCurve(
        rows.map(({ score }) => score),
        labels,
      );
      return [
        `${name}${i < fitted.length ? '' : ' (held out)'}`,
        frames,
        rows.length,
        labels.filter(Boolean).length,
        fixed(area, 4),
      ];
    }),
  ]);
  const rows = fitted.flatMap(([, , list]) => list);
  const raw = fitLogistic(rows, RIDGE);
  // The best outline of a frame is right far more often than all that are judged: calibrated on the varied set.
  const winners = [...fitted[0][3], ...fitted[1][3]]
    .filter((list) => list.length)
    .map((list) => list.map((one) => [dot(one.features, raw), one.right]).reduce((a, b) => (b[0] > a[0] ? b : a)));
  const [shift, scale] = fitLogistic(
    winners.map(([z, right]) => ({ features: [1, Math.max(-12, Math.min(12, z))], right, weight: 1 })),
    0,
  );
  const now = raw.map((weight, i) => scale * weight + (i ? 0 : shift));
  report.line(
    `Calibrated on the best outline of each of the ${winners.length} frames of the two varied sets: log-odds times ` +
      `${fixed(scale, 3)} plus ${fixed(shift, 3)}.`,
  );
  report.table([
    ['feature', 'fitted now', 'in src/pupil/robust/weights.ts'],
    ...robustWeights.slice(0, PROPORTIONED).map(([name, weight], i) => [name, fixed(now[i], 4), fixed(weight, 4)]),
  ]);
  const labels = rows.map(({ right }) => right);
  report.line(
    `ROC area with the weights fitted now: ${fixed(
      areaUnderCurve(
        rows.map(({ features }) => dot(features, now)),
        labels,
      ),
      4,
    )}. \`tune pupil\` gives the weights in use their common factor and adds to them.`,
  );
  report.finish('lab/results/accuracy.md', 'robust-fit pupil', 'robust-fit pupil');
}
