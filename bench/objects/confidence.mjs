// Objects: what decides whether a box is reported, chosen with one sequence left out at a time, and the reliability of confidence.
//   --only car,david  --seed 1  --write
// Each sequence is followed once. What is reported of a frame then depends on two numbers, which change nothing of what is
// followed: the least confidence, and how many frames in a row a target that was found again without strong evidence must be
// trusted until its box is shown. Chosen is the pair with the highest mean F at 0.25 of those that are silent in 90 % of the absent frames (of none,
// the most silent).
import { existsSync } from 'node:fs';
import path from 'node:path';
import { fixed, Report } from '../parts/report.mjs';
import { wilson } from '../pupil/parts/intervals.mjs';
import { follow, judge, leaveOneOut, openParts, score } from './parts/follow.mjs';
import { openSequence, sequences } from './parts/sequences.mjs';

const LEAST = [0.4, 0.5, 0.6, 0.7, 0.8, 0.9];
const PROOF = [0, 2, 4, 6, 8, 10, 15, 25];
const settings = LEAST.flatMap((least) => PROOF.map((proof) => ({ least, proof })));
const named = ({ least, proof }) => `${least}, ${proof} frames`;

/** What would be reported: what was found again is not, until it has been trusted for long enough. */
function reportedBy({ least, proof }, sure) {
  let waits = false;
  return (row) => {
    if (row.again) waits = row.confidence < sure;
    if (row.trusted >= proof) waits = false;
    return row.shown && row.confidence >= least && !waits;
  };
}

export default async function confidence(given) {
  const { args, shared, log } = given;
  if (!shared || !existsSync(path.join(shared, 'data/tld'))) return log('skipped: no sequences here');
  const option = (name, otherwise) => (args.includes(name) ? args[args.indexOf(name) + 1] : otherwise);
  const names = option('--only', Object.keys(sequences).join(',')).split(',');
  const seed = Number(option('--seed', 1));
  const parts = await openParts(given);
  const report = new Report(given);
  const all = {};
  const frames = [];
  const { proof, sure } = parts.FILTER_RULE;
  const today = settings.findIndex((one) => one.least === 0.5 && one.proof === proof);
  for (const name of names) {
    const sequence = openSequence(shared, name, undefined, { color: true });
    const rows = await follow(parts, sequence, { seed, rule: { proof: 0 } });
    const shown = reportedBy(settings[today], sure);
    for (const row of rows) if (shown(row)) frames.push(row);
    all[name] = settings.map((setting) => score(rows, reportedBy(setting, sure)));
    log(`${name}: ${rows.length + 1} frames followed`);
  }
  report.heading(
    `Least confidence, and frames of proof, chosen with one of ${names.length} sequences left out (seed ${seed})`,
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
  const of = (pick) => judge(names.map((name, i) => all[name][pick(i)]));
  const [out, within, plain] = [of((i) => held[i]), of(() => inSample), of(() => today)];
  report.line(
    `Mean F at 0.25: held out ${fixed(out.f, 3)}, in sample ${fixed(within.f, 3)} (${named(settings[inSample])}), ${defaults} ${fixed(plain.f, 3)}; silent when absent: held out ${fixed(out.silence, 3)}, in sample ${fixed(within.silence, 3)}, ${defaults} ${fixed(plain.silence, 3)}.`,
  );
  report.heading('Reliability: frames with a box, by confidence');
  report.table([
    ['confidence', 'frames', 'overlap above 0.25', '95 % interval'],
    ...Array.from({ length: 10 }, (_, d) => {
      const within = frames.filter((row) => Math.min(9, Math.floor(10 * row.confidence)) === d);
      const right = within.filter(({ inside }) => inside > 0.25).length;
      return [
        `${fixed(d / 10)} to ${fixed((d + 1) / 10)}`,
        within.length,
        ...(within.length
          ? [
              fixed(right / within.length, 3),
              wilson(right, within.length)
                .map((v) => fixed(v / 100, 3))
                .join(' to '),
            ]
          : ['-', '-']),
      ];
    }).filter(([, count]) => count),
  ]);
  report.finish('docs/accuracy-tables.md', 'confidence objects', 'confidence objects');
}
