// Pupil: the confidence of `robust`, minConfidence and reflectionThreshold chosen on rendered eyes alone, held out by subject; the real sets once.
//   --part N: each count an N-th, but for the fresh eyeless frames; --json FILE: the weights, for src/pupil/robust/weights.ts
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { share as interval } from '../../bench/parts/intervals.mjs';
import { fixed, Report } from '../../bench/parts/report.mjs';
import { chooseCut, confident, crossed, fitConfidence, tally } from './parts/choice.mjs';
import { dot } from '../../bench/pupil/parts/logistic.mjs';
import { openPupilPage } from '../../bench/pupil/parts/pupil-page.mjs';
import { realSets } from '../../bench/pupil/parts/real-sets.mjs';
import { reliabilityTable, rightOnReal } from './parts/reliability.mjs';

const FOLDS = 5;
const CUTS = Array.from({ length: 19 }, (_, i) => (i + 1) / 20);
/** A share of alarms is worth so many times the same share of missed pupils (1: Youden's index). */
const ALARM = 1;
const THRESHOLDS = [25, 40, 55, 80, 120];

/** Name, frames, generator, from, step, seed; `mixed`: eyes and eyeless frames as a camera gives them. */
const FITTED = [
  ['wide set', 480, 'wideFrame', 0, 1, 6001, true],
  ['varied set', 500, 'variedFrame', 0, 1, 1001, true],
  ['varied set', 500, 'variedFrame', 0, 1, 1002, true],
  ['varied set, eyeless', 900, 'variedFrame', 9, 10, 1003, false],
  ['hard set, eyeless', 300, 'hardFrame', 9, 10, 1005, false],
  ['dark shapes', 300, 'shapesFrame', 0, 1, 1004, false],
];
const FRESH = [
  ['wide set', 120, 'wideFrame', 0, 1, 6002],
  ['varied set', 200, 'variedFrame', 0, 1, 2001],
  ...[9101, 9102, 9103].flatMap((seed) => [
    ['hard set, eyeless', 30, 'hardFrame', 9, 10, seed],
    ['varied set, eyeless', 60, 'variedFrame', 9, 10, seed],
  ]),
];

function readSets(list, eyes, reader, quick, log, kept) {
  return list.flatMap(([name, count, generator, from, step, seed, mixed]) => {
    const frames = [];
    for (let i = 0; i < (step > 1 && count < 100 ? count : count / quick); i++) {
      const eye = eyes[generator](from + i * step, seed);
      if (eye.truth.partial) continue;
      kept?.push(eye);
      const person = eye.meta.subject ?? i;
      const group = person % FOLDS;
      const list = reader.readAll(eye, eye.meta.polarity);
      frames.push({ set: `${name}, seed ${seed}`, person, group, mixed, present: eye.truth.present, list });
    }
    log(`read: ${name}, seed ${seed}`);
    return frames;
  });
}

function table(report, frames, judged, cut) {
  const names = [...new Set(frames.map(({ set }) => set))];
  report.table([
    ['', 'eyes', 'right, %', 'center within 5 px, %', 'without a pupil', 'silent, %'],
    ...names.map((name) => {
      const { eyes, right, near, without, silent } = tally(
        judged.filter(({ frame }) => frame.set === name),
        cut,
      );
      return [name, eyes, interval(right, eyes), interval(near, eyes), without, interval(silent, without)];
    }),
  ]);
}

export default async function tune(given) {
  const { args, root, shared, importTs, log } = given;
  const quick = Number(args[args.indexOf('--part') + 1]) || 1;
  const report = new Report(given);
  const eyes = await importTs('lab/eyes/index.ts');
  const { PROPORTIONED, RobustReader, robustWeights } = await importTs('lab/pupil/parts/robust-features.ts');
  const { pupilParameters } = await importTs('src/pupil/parameters.ts');
  const kernels = readFileSync(path.join(root, 'dist/kernels.wasm'));
  const reader = await RobustReader.open(kernels);
  const fitted = readSets(FITTED, eyes, reader, quick, log);
  const kept = [];
  const fresh = readSets(FRESH, eyes, reader, quick, log, kept);
  report.line(
    'Every outline that is judged in a frame is a case. Right: center and seven tenths of the radius within 1.5 px or 12 % of the ' +
      'radius of the truth, whatever is more, in pixels of the search; nearer than twice that and not right: left out of the fit. ' +
      `Logistic regression for what is added to the first ${PROPORTIONED} weights, which stay as they are. Five folds: the frames of ` +
      'a rendered person are in one of them. Wilson’s 95 % interval in brackets.',
  );

  const own = robustWeights.map(([, weight]) => weight);
  const base = own.slice(0, PROPORTIONED);
  const held = crossed(fitted, FOLDS, base);
  const weights = fitConfidence(fitted, base);
  const inside = fitted.map((frame) => confident(frame, weights));
  const used = pupilParameters.minConfidence.default;
  const said = ({ cut, gain, error, better }) =>
    `${fixed(cut, 2)}${cut === used ? '' : ` (+${fixed(gain, 4)}, error ${fixed(error, 4)}: ${better ? 'BETTER' : 'not more than chance'})`}`;
  report.heading('minConfidence');
  report.line(
    `The cut that is worth the most where a share of alarms counts ${ALARM} times the same share of missed pupils (of the wide and ` +
      `the varied sets): ${said(chooseCut(held, used, CUTS, ALARM))} held out, ${said(chooseCut(inside, used, CUTS, ALARM))} in ` +
      `sample; in use: ${used}. What is added to the worth of the one in use, with the error of that (jackknife, a twentieth of the persons left out at a time); by less ` +
      'than twice the error nothing is changed.',
  );
  report.table([
    ['cut', 'right, held out', 'silent, held out', 'right, in sample', 'silent, in sample'],
    ...CUTS.map((cut) => {
      const share = (list) => {
        const { eyes, right, without, silent } = tally(
          list.filter(({ frame }) => frame.mixed),
          cut,
        );
        return [interval(right, eyes), interval(silent, without)];
      };
      return [fixed(cut, 2), ...share(held), ...share(inside)];
    }),
  ]);
  report.heading(`At ${fixed(used, 2)}, held out`);
  table(report, fitted, held, used);
  report.heading(`At ${fixed(used, 2)}, in sample`);
  table(report, fitted, inside, used);
  report.heading(`At ${fixed(used, 2)}, fresh seeds, in no fit`);
  table(
    report,
    fresh,
    fresh.map((frame) => confident(frame, weights)),
    used,
  );

  report.heading('Weights');
  report.table([
    ['feature', 'fitted now', 'in src/pupil/robust/weights.ts'],
    ...robustWeights.map(([name, weight], i) => [name, fixed(weights[i], 4), fixed(weight, 4)]),
  ]);
  const at = args.indexOf('--json');
  if (at >= 0) writeFileSync(args[at + 1], JSON.stringify(weights));
  const apart = Math.max(
    ...fitted.flatMap(({ list }) =>
      list.map(({ features, score }) => Math.abs(Math.max(-30, Math.min(30, dot(features, own))) - score)),
    ),
  );
  report.line(
    `The log-odds of the weights in use differ from those of the kernel by at most ${apart.toExponential(1)}.`,
  );

  report.heading('reflectionThreshold');
  report.line(
    'The fresh seeds of the wide and the varied set and the eyeless frames, with the weights in use; ' +
      `in use: ${pupilParameters.reflectionThreshold.default}.`,
  );
  const rows = [['levels', 'right, %', 'silent without a pupil, %']];
  for (const reflectionThreshold of THRESHOLDS) {
    const other = await RobustReader.open(kernels, { reflectionThreshold });
    const list = kept.map((eye) => {
      const present = eye.truth.present;
      return confident({ present, list: other.readAll(eye, eye.meta.polarity) }, null);
    });
    const { eyes: n, right, without, silent } = tally(list, used);
    rows.push([reflectionThreshold, interval(right, n), interval(silent, without)]);
    log(`reflectionThreshold ${reflectionThreshold}`);
  }
  report.table(rows);
  await real(given, report, fresh, used, quick, shared);
  report.finish('lab/results/accuracy.md', 'tune pupil', quick === 1 ? 'tune pupil' : `tune pupil --part ${quick}`);
}

/** What the tracker makes of the real sets, with the weights and cuts in use; and reliability, beside the fresh rendered frames. */
async function real(given, report, fresh, cut, quick, shared) {
  const sets = realSets(shared);
  const rendered = fresh.map((frame) => confident(frame, null));
  const rows = [
    [
      'rendered, fresh seeds',
      rendered.map(({ p, best, frame }) => ({ p, right: frame.present && Boolean(best?.right) })),
    ],
  ];
  if (sets) {
    report.heading(`The real sets, once, at ${fixed(cut, 2)}`);
    const { call } = await openPupilPage(given);
    const lines = [['', 'eyes', 'center within 5 px, %', 'without a pupil', 'silent, %']];
    const all = [];
    for (const set of sets) {
      const url = (file) => `/shared/data/pupil/${file}`;
      if (set.images) await call('loadImages', 'real', set.images.map(url));
      else await call('loadVideo', 'real', url(set.video.address), Math.max(...set.video.frames) + 1);
      const found = await call('detect', 'real', { method: 'robust', minConfidence: 0 }, {});
      const list = (set.images ? found : set.video.frames.map((frame) => found[frame])).map(([, p, x, y, r], i) => {
        const truth = set.truth[i];
        const off = truth.present ? Math.hypot(x - truth.x, y - truth.y) : Infinity;
        return { p, off, present: truth.present, size: truth.present ? Math.abs(r - truth.r) / truth.r : Infinity };
      });
      const present = list.filter((one) => one.present);
      const without = list.filter((one) => !one.present);
      const near = present.filter(({ p, off }) => p >= cut && off <= 5).length;
      const silent = without.filter(({ p }) => p < cut).length;
      lines.push([
        set.name,
        present.length,
        interval(near, present.length),
        without.length,
        interval(silent, without.length),
      ]);
      all.push(...list.map(({ p, off, size }) => ({ p, right: rightOnReal(set.name, off, size), set: set.name })));
    }
    report.table(lines);
    rows.push(['real sets', all], ['real sets but pupilcore rec2', all.filter(({ set }) => set !== 'pupilcore rec2')]);
  }
  report.heading('Reliability of the confidence');
  report.line(
    'Share that is right in each tenth of the confidence, percent (Wilson’s 95 % interval), of so many frames: rendered as above, real within 5 px and 10 % of the ' +
      'radius (meye-human: within 5 px). Calibrated would be the middle of each tenth. A frame without a pupil is never right.',
  );
  report.table(reliabilityTable(rows));
}
