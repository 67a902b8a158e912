// Objects: precision, recall, F and silence on the sequences of the TLD set, by seed, of the defaults and of the published
// integrator, and on rendered scenes.
//   --seeds 5  --gray (as if there were no colors)  --only car,david  --frames N (the first N of each)  --no-scenes  --write
import { existsSync } from 'node:fs';
import path from 'node:path';
import { ofCounts, ofGroups, range, rangeOfShare } from '../parts/intervals.mjs';
import { atLeast, fixed, Report } from '../parts/report.mjs';
import { openScene, scenes } from './parts/scenes.mjs';
import { overlap } from '../parts/numbers.mjs';
import { firstSix, openSequence, sequences } from './parts/sequences.mjs';

/** F at 0.25 of OpenCV's CSRT (../shared/peers.md). */
const CSRT = {
  ...{ car: 0.569, crossing: 1, david: 0.983, jumping: 0.285, panda: 0.326, pedestrian2: 0.48, bag: 0.472, bolt: 1 },
  ...{ car1: 0.982, dog1: 1, freeman1: 0.482, gull2: 0.306, human7: 1, jogging1: 0.977, motorrolling: 0.227 },
  ...{ person12: 0.64, skiing: 0.244, woman: 1 },
};

const median = (list) => {
  const sorted = [...list].sort((a, b) => a - b);
  return (sorted[(sorted.length - 1) >> 1] + sorted[sorted.length >> 1]) / 2;
};

async function runOne(engine, sequence, parameters, most) {
  const { truth } = sequence;
  const frames = Math.min(sequence.frames, most);
  const tracker = engine.createObjectTracker(parameters);
  await tracker.start(sequence.frame(0), truth[0]);
  const boxes = [truth[0]];
  const start = process.cpuUsage();
  for (let i = 1; i < frames; i++) boxes.push((await tracker.process(sequence.frame(i), { timestamp: 40 * i })).box);
  const { user, system } = process.cpuUsage(start);
  await tracker.dispose();
  const present = truth.slice(0, frames).filter(Boolean).length;
  const given = boxes.filter(Boolean).length;
  const score = (least) => {
    const right = boxes.filter((box, i) => box && truth[i] && overlap(box, truth[i]) > least).length;
    const [precision, recall] = [right / Math.max(1, given), right / present];
    return { precision, recall, f: precision + recall ? (2 * precision * recall) / (precision + recall) : 0 };
  };
  // Gaps of the truth, and whether the target was found within 25 frames of its return.
  let gaps = 0;
  let back = 0;
  for (let i = 1; i < frames; i++)
    if (truth[i] && !truth[i - 1]) {
      gaps++;
      for (let j = i; j < Math.min(frames, i + 25); j++)
        if (boxes[j] && truth[j] && overlap(boxes[j], truth[j]) > 0.25) {
          back++;
          break;
        }
    }
  const absent = frames - present;
  const silent = boxes.filter((box, i) => !box && !truth[i]).length;
  return { loose: score(0.25), strict: score(0.5), gaps, back, absent, silent, ms: (user + system) / 1000 / frames };
}

const F_COLUMNS = ['precision', 'recall', 'F at 0.25', 'F at 0.5'];
const meanOf = (list) => list.reduce((sum, v) => sum + v, 0) / list.length;

/** Runs of every sequence with every seed, their table, and what they come to. */
async function printSequences(report, engine, shared, { names, seeds, most, parameters, title, color }) {
  report.heading(`${title}, seeds ${seeds[0]} to ${seeds.at(-1)}: median [least, greatest]`);
  const rows = [['', ...F_COLUMNS, 'CSRT at 0.25', 'silent when absent', 'found again', 'ms']];
  const all = {};
  const silence = [];
  const quiet = [];
  for (const name of names) {
    const sequence = openSequence(shared, name, undefined, { color });
    const runs = [];
    for (const seed of seeds) runs.push(await runOne(engine, sequence, { ...parameters, seed }, most));
    const shown = (pick) => {
      const list = runs.map(pick);
      return `${fixed(median(list), 3)} [${fixed(Math.min(...list), 3)}, ${fixed(Math.max(...list), 3)}]`;
    };
    all[name] = runs.map(({ loose }) => loose.f);
    quiet.push(runs[0]);
    runs.forEach(({ silent, absent }, i) => {
      silence[i] ??= [0, 0];
      silence[i][0] += silent;
      silence[i][1] += absent;
    });
    rows.push([
      name,
      shown(({ loose }) => loose.precision),
      shown(({ loose }) => loose.recall),
      shown(({ loose }) => loose.f),
      shown(({ strict }) => strict.f),
      fixed(CSRT[name], 3),
      runs[0].absent ? shown(({ silent, absent }) => silent / absent) : '-',
      runs[0].gaps ? `${median(runs.map(({ back }) => back))} of ${runs[0].gaps}` : '-',
      fixed(median(runs.map(({ ms }) => ms)), 2),
    ]);
  }
  report.table(rows);
  report.line(
    'In brackets the spread over the seeds. Frames of one sequence follow from each other, so that shares of it have no interval; those ' +
      'below are bootstraps over the sequences (95 %).',
  );
  const mean = (which) => fixed(meanOf(which.map((name) => median(all[name]))), 3);
  const over = (which) => range(ofGroups(which.map((name) => median(all[name])), 1), 3); // prettier-ignore
  const six = names.filter((name) => firstSix.includes(name));
  const twelve = names.filter((name) => !firstSix.includes(name));
  const better = names.filter((name) => median(all[name]) >= CSRT[name] - 0.0005).length;
  report.line(
    `Mean of the medians at 0.25: ${mean(names)} over all (${over(names)}), ${mean(six)} over the first six (${over(six)}; OpenCV's TLD 0.532, CSRT 0.607), ${mean(twelve)} over the others (${over(twelve)}; 0.459, 0.694); at least CSRT's on ${better} of ${names.length} (${rangeOfShare(better, names.length)} of such sequences).`,
  );
  if (silence[0][1]) {
    const shares = silence.map(([silent, absent]) => (100 * silent) / absent);
    report.line(
      `Silent in ${fixed(median(shares))} % [${fixed(Math.min(...shares))}, ${fixed(Math.max(...shares))}] of the frames without the target; seed ${seeds[0]} over the sequences that have such: ${range(silenceRange(quiet))}.`,
    );
    report.list([
      atLeast('F at 0.25, in sample', meanOf(names.map((name) => median(all[name]))), 0.8, 3),
      atLeast('sequences with at least CSRT’s F', better, Math.min(12, names.length), 0),
      atLeast('% silent without the target', median(shares), 90, 1),
    ]);
  }
}

const total = (runs, key) => runs.reduce((sum, run) => sum + run[key], 0);

const silenceRange = (runs) => ofCounts(runs.map(({ silent, absent }) => [silent, absent]));

async function printScenes(report, engine, shared, variants) {
  report.heading('Rendered scenes of 300 frames, seed 1: F at 0.25, and share of absent frames without a box');
  const rows = [['', ...variants.flatMap(({ name }) => [`F, ${name}`, `silent, ${name}`])]];
  const all = variants.map(() => []);
  for (const name of Object.keys(scenes)) {
    const scene = openScene(shared, name);
    const row = [name];
    for (const [v, { parameters }] of variants.entries()) {
      const run = await runOne(engine, scene, { ...parameters, seed: 1 }, Infinity).catch((error) => {
        if (error.code !== 'invalid-argument') throw error;
      });
      // Smaller than the variant takes.
      if (!run) {
        row.push('-', '-');
        continue;
      }
      all[v].push(run);
      row.push(fixed(run.loose.f, 3), run.absent ? fixed(run.silent / run.absent, 3) : '-');
    }
    rows.push(row);
  }
  rows.push([
    'all',
    ...all.flatMap((runs) => [
      fixed(meanOf(runs.map(({ loose }) => loose.f)), 3),
      fixed(total(runs, 'silent') / total(runs, 'absent'), 3),
    ]),
  ]);
  rows.push([
    '95 %, over the scenes',
    ...all.flatMap((runs) => [
      range(ofGroups(runs.map(({ loose }) => loose.f), 1), 3), // prettier-ignore
      range(
        silenceRange(runs).map((v) => v / 100),
        3,
      ),
    ]),
  ]);
  report.table(rows);
}

export default async function accuracy(given) {
  const { args, shared, log, importTs } = given;
  if (!shared || !existsSync(path.join(shared, 'data/tld'))) return log('skipped: no sequences here');
  const option = (name, otherwise) => (args.includes(name) ? args[args.indexOf(name) + 1] : otherwise);
  const seeds = Array.from({ length: Number(option('--seeds', 5)) }, (_, i) => i + 1);
  const most = Number(option('--frames', Infinity));
  const names = option('--only', Object.keys(sequences).join(',')).split(',');
  const { createEngine } = await importTs('src/index.ts');
  const engine = await createEngine({ worker: false, threads: 1 });
  const report = new Report(given);
  // As published it reports whatever it follows.
  const paper = { variant: 'paper', minConfidence: 0 };
  const color = !args.includes('--gray');
  const title = color ? 'Defaults' : 'Defaults, gray frames';
  await printSequences(report, engine, shared, { names, seeds, most, parameters: {}, title, color });
  if (color) {
    const published = "variant: 'paper', every box reported";
    await printSequences(report, engine, shared, { names, seeds, most, parameters: paper, title: published });
  }
  if (color && !args.includes('--no-scenes'))
    await printScenes(report, engine, shared, [
      { name: 'defaults', parameters: {} },
      { name: 'paper', parameters: paper },
    ]);
  await engine.dispose();
  report.finish('lab/results/accuracy.md', 'accuracy objects', 'accuracy objects');
}
