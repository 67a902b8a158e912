// Objects: what decides whether a box is reported, chosen with one sequence left out at a time, and the reliability of confidence.
//   --only car,david  --seed 1  --ways forward,backward (parts/follow.mjs)  --write
// Each sequence is followed once each way. What is reported of a frame then depends on two numbers, which change little of what
// is followed: the least confidence, and how many frames in a row a target that was found again without strong evidence must be
// trusted until its box is shown. Chosen is the pair with the highest mean F at 0.25 of those that are silent in 90 % of the absent frames (of none,
// the most silent). Confidence is a line over the rivalry; the line that fits best of all that was followed is printed beside it.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { fixed, Report } from '../../bench/parts/report.mjs';
import { ofCounts, ofGroups, range, rangeOfShare } from '../../bench/parts/intervals.mjs';
import { follow, judge, leaveOneOut, openParts, score } from './parts/follow.mjs';
import { openSequence, sequences } from '../../bench/objects/parts/sequences.mjs';

const LEAST = [0.4, 0.5, 0.6, 0.7, 0.8, 0.9];
const PROOF = [0, 2, 4, 6, 8, 10, 15, 25];
const settings = LEAST.flatMap((least) => PROOF.map((proof) => ({ least, proof })));
const named = ({ least, proof }) => `${least}, ${proof} frames`;

/** What would be reported: what was found again is not, until it has been trusted for long enough. */
function reportedBy({ least, proof }, confidenceOf) {
  let waits = false;
  return (row) => {
    if (row.again) waits = row.unproven;
    if (row.trusted >= proof) waits = false;
    return row.followed && confidenceOf(row) >= least && !waits;
  };
}

/** A line by least squares, each group with the same weight: where it is 0.5, and how much it falls by. */
function fitLine(groups) {
  const sums = [0, 0, 0, 0, 0];
  for (const points of groups)
    for (const [x, y] of points) [1, x, y, x * x, x * y].forEach((v, i) => (sums[i] += v / points.length));
  const [n, x, y, xx, xy] = sums;
  const fall = (x * y - n * xy) / (n * xx - x * x);
  return { level: (y + fall * x - 0.5 * n) / (n * fall), slope: fall };
}

export default async function confidence(given) {
  const { args, shared, log } = given;
  if (!shared || !existsSync(path.join(shared, 'data/tld'))) return log('skipped: no sequences here');
  const option = (name, otherwise) => (args.includes(name) ? args[args.indexOf(name) + 1] : otherwise);
  const names = option('--only', Object.keys(sequences).join(',')).split(',');
  const seed = Number(option('--seed', 1));
  const parts = await openParts(given);
  const report = new Report(given);
  const among = option('--ways', 'forward').split(',');
  const all = {};
  const frames = Object.fromEntries(names.map((name) => [name, []]));
  const { proof, level, slope } = parts.FILTER_RULE;
  const confidenceOf = ({ rivalry }) => Math.max(0, Math.min(1, 0.5 + slope * (level - rivalry)));
  const today = settings.findIndex((one) => one.least === 0.5 && one.proof === proof);
  for (const name of names) {
    const sequence = openSequence(shared, name, undefined, { color: true });
    const runs = [];
    for (const way of among) {
      const rows = await follow(parts, sequence, { seed, way });
      const proven = reportedBy({ least: 0, proof }, confidenceOf);
      frames[name].push(...rows.filter(proven));
      runs.push(settings.map((setting) => score(rows, reportedBy(setting, confidenceOf))));
      log(`${name}, ${way}: ${rows.length + 1} frames followed`);
    }
    const sum = (k, key) => runs.reduce((total, scores) => total + scores[k][key], 0);
    all[name] = settings.map((_, k) => ({
      f: sum(k, 'f') / runs.length,
      absent: sum(k, 'absent'),
      silent: sum(k, 'silent'),
    }));
  }
  report.heading(
    `Least confidence, and frames of proof, chosen with one of ${names.length} sequences left out (seed ${seed}, ${among.join(', ')})`,
  );
  const { held, all: inSample } = leaveOneOut(names, all);
  const defaults = `at 0.5, ${proof} frames (the defaults)`;
  report.table([
    ['', 'chosen without it', 'F held out', 'F in sample', `F ${defaults}`],
    ...names.map((name, i) => [
      name,
      named(settings[held[i]]),
      ...[held[i], inSample, today].map((at) => fixed(all[name][at].f, 3)),
    ]),
  ]);
  const of = (pick) => {
    const scores = names.map((name, i) => all[name][pick(i)]);
    const { f, silence } = judge(scores);
    const silence95 = ofCounts(scores.map(({ silent, absent }) => [silent, absent])).map((v) => v / 100);
    return {
      f: `${fixed(f, 3)} (${range(ofGroups(scores.map((one) => one.f), 1), 3)})`, // prettier-ignore
      silence: `${fixed(silence, 3)} (${range(silence95, 3)})`,
    };
  };
  const [out, within, plain] = [of((i) => held[i]), of(() => inSample), of(() => today)];
  report.line(
    `Mean F at 0.25: held out ${out.f}, in sample ${within.f} with ${named(settings[inSample])}, ${defaults} ${plain.f}; silent when absent: held out ${out.silence}, in sample ${within.silence}, ${defaults} ${plain.silence}. In brackets a bootstrap over the sequences, 95 %.`,
  );
  report.heading('Reliability: frames in which something is followed and not on probation, by confidence');
  const right = ({ inside }) => inside > 0.25;
  const followed = Object.values(frames).flat();
  report.table([
    ['confidence', 'frames', 'overlap above 0.25', '95 % interval'],
    ...Array.from({ length: 10 }, (_, d) => {
      const within = followed.filter((row) => Math.min(9, Math.floor(10 * confidenceOf(row))) === d);
      const count = within.filter(right).length;
      return [
        `${fixed(d / 10)} to ${fixed((d + 1) / 10)}`,
        within.length,
        ...(within.length ? [fixed(count / within.length, 3), rangeOfShare(count, within.length, 3)] : ['-', '-']),
      ];
    }),
  ]);
  const points = names.map((name) => frames[name].map((row) => [row.rivalry, Number(right(row))]));
  const line = ({ level, slope }) => `0.5 at ${fixed(level, 3)}, falling by ${fixed(slope, 2)} per unit`;
  const lines = names.map((_, i) => fitLine(points.filter((_, j) => j !== i)));
  const spread = (key) =>
    [Math.min, Math.max].map((end) => fixed(end(...lines.map((one) => one[key])), 2)).join(' to ');
  report.line(
    `The line over the rivalry that fits best, each sequence with the same weight: ${line(fitLine(points))}; with one sequence left out, 0.5 at ${spread('level')}, falling by ${spread('slope')}. In use: ${line({ level, slope })}.`,
  );
  report.finish('lab/results/accuracy.md', 'confidence objects', 'confidence objects');
}
