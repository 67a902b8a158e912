// Objects: how far a target has turned, against the truth: pieces of pictures that turn and move before others. [quick]
//   --frames N  --write
import { quantile } from '../../bench/parts/numbers.mjs';
import { rangeOfShare } from '../../bench/parts/intervals.mjs';
import { fixed, Report } from '../../bench/parts/report.mjs';
import { turningPictures, turningScene } from './parts/turning.mjs';

/** Degrees a frame. */
const RATES = [0, 1, 3, 6, 12];
/** The target's picture, the ground's, the middle of the piece, its radius. */
const TARGETS = [
  ['photographer', 'portrait', 230, 110, 24],
  ['photographer', 'portrait', 360, 330, 40],
  ['portrait', 'photographer', 220, 110, 40],
  ['portrait', 'photographer', 300, 400, 24],
];

export default async function rotation(given) {
  const { args, importTs, root } = given;
  const frames = args.includes('--frames') ? Number(args[args.indexOf('--frames') + 1]) : 60;
  const { createEngine } = await importTs('src/index.ts');
  const engine = await createEngine({ worker: false, threads: 1 });
  const pictures = turningPictures(root);
  const report = new Report(given);
  report.heading(
    `How far a target has turned: ${TARGETS.length} targets of 24 and 40 px radius, ${frames} frames each`,
  );
  const rows = [
    [
      'degrees a frame',
      'frames with a box',
      'interval, 95 %',
      'median error, degrees',
      '95 %',
      'within 5 degrees',
      'interval, 95 %',
    ],
  ];
  for (const rate of RATES) {
    const errors = [];
    let lost = 0;
    for (const [n, target] of TARGETS.entries()) {
      const scene = turningScene(pictures, target, rate, n + 1);
      const tracker = engine.createObjectTracker({ rotation: true });
      await tracker.start(scene.frame(0), scene.box);
      for (let t = 1; t <= frames; t++) {
        const { angle } = await tracker.process(scene.frame(t), { timestamp: 40 * t });
        if (Number.isNaN(angle)) lost++;
        else errors.push(scene.off(angle, t));
      }
      await tracker.dispose();
    }
    rows.push([
      rate,
      `${errors.length} of ${errors.length + lost}`,
      rangeOfShare(errors.length, errors.length + lost),
      ...[0.5, 0.95].map((share) => fixed(quantile(errors, share))),
      fixed(errors.filter((error) => error <= 5).length / errors.length, 3),
      rangeOfShare(errors.filter((error) => error <= 5).length, errors.length),
    ]);
  }
  report.table(rows);
  report.line(`Wilson’s intervals, frames taken as independent; they are of ${TARGETS.length} targets.`);
  await engine.dispose();
  report.finish('lab/results/accuracy.md', 'rotation objects', 'rotation objects');
}
