// Objects: precision, recall, F and silence on the sequences of the TLD set, by seed.
//   --seeds 5  --only car,david  --frames N (the first N of each)  --write
import { existsSync } from 'node:fs';
import path from 'node:path';
import { fixed, Report } from '../parts/report.mjs';
import { openSequence, sequences } from './parts/sequences.mjs';

/** Mean F at 0.25 over the six sequences, and the best program on each (../shared/peers.md). */
const PEERS = { car: 0.95, crossing: 1, david: 1, jumping: 0.86, panda: 0.455, pedestrian2: 0.808 };

const overlap = (a, b) => {
  const w = Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x);
  const h = Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y);
  return w > 0 && h > 0 ? (w * h) / (a.width * a.height + b.width * b.height - w * h) : 0;
};

const median = (list) => {
  const sorted = [...list].sort((a, b) => a - b);
  return (sorted[(sorted.length - 1) >> 1] + sorted[sorted.length >> 1]) / 2;
};

async function runOne(engine, sequence, seed, most) {
  const { truth } = sequence;
  const frames = Math.min(sequence.frames, most);
  const tracker = engine.createObjectTracker({ seed });
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
  report.heading(`Tracking-Learning-Detection, defaults, seeds 1 to ${seeds.length}: median [least, greatest]`);
  const rows = [
    [
      '',
      'precision',
      'recall',
      'F at 0.25',
      'F at 0.5',
      'best peer at 0.25',
      'silent when absent',
      'found again',
      'ms',
    ],
  ];
  const all = {};
  let absent = 0;
  let silent = 0;
  for (const name of names) {
    const sequence = openSequence(shared, name);
    const runs = [];
    for (const seed of seeds) runs.push(await runOne(engine, sequence, seed, most));
    const shown = (pick) => {
      const list = runs.map(pick);
      return `${fixed(median(list), 3)} [${fixed(Math.min(...list), 3)}, ${fixed(Math.max(...list), 3)}]`;
    };
    all[name] = runs.map(({ loose }) => loose.f);
    absent += runs.reduce((n, run) => n + run.absent, 0);
    silent += runs.reduce((n, run) => n + run.silent, 0);
    rows.push([
      name,
      shown(({ loose }) => loose.precision),
      shown(({ loose }) => loose.recall),
      shown(({ loose }) => loose.f),
      shown(({ strict }) => strict.f),
      fixed(PEERS[name], 3),
      runs[0].absent ? shown(({ silent, absent }) => silent / absent) : '-',
      runs[0].gaps ? `${median(runs.map(({ back }) => back))} of ${runs[0].gaps}` : '-',
      fixed(median(runs.map(({ ms }) => ms)), 2),
    ]);
  }
  report.table(rows);
  const mean = (which) => fixed(which.reduce((sum, name) => sum + median(all[name]), 0) / which.length, 3);
  const five = names.filter((name) => name !== 'crossing');
  report.line(
    `Mean of the medians at 0.25: ${mean(names)} over all (OpenCV's TLD 0.532, CppTLD 0.598, CSRT 0.607 over six), ${mean(five)} without crossing (the authors' own 0.81).`,
  );
  if (absent) report.line(`Silent in ${fixed((100 * silent) / absent)} % of the frames without the target.`);
  await engine.dispose();
  report.finish('docs/accuracy.md', 'accuracy objects', 'accuracy objects');
}
