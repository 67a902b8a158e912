// Pupil: glints on the hard rendered set by what is known of its lamps: share found, false ones, error of the center. --count N
import { Report, fixed } from '../../bench/parts/report.mjs';
import { quantile } from '../../bench/parts/numbers.mjs';

const WHERE = 2; // px: a glint this close to a lamp's image is that image

async function measure(engine, set) {
  const [apart, touching] = [[], []];
  const errors = [];
  let wrong = 0;
  let frames = 0;
  for (const { width, height, data, truth, meta } of set) {
    if (!truth.present) continue;
    const tracker = await engine.createPupilTracker({ glints: 8 });
    const [pupil] = (await tracker.process({ width, height, data }, 0)).pupils;
    await tracker.dispose();
    if (!pupil.found) continue;
    frames++;
    const near = meta.spots.filter((s) => Math.hypot(s.x - pupil.x, s.y - pupil.y) < 1.1 * pupil.diameter);
    // Two images of lamps that run into one another are one glint.
    const alone = (s) => meta.spots.every((o) => o === s || Math.hypot(o.x - s.x, o.y - s.y) > o.radius + s.radius + 4);
    const distance = (s, g) => Math.hypot(s.x - g.x, s.y - g.y);
    for (const spot of near) {
      const least = Math.min(Infinity, ...pupil.glints.map((g) => distance(spot, g)));
      (alone(spot) ? apart : touching).push(least <= WHERE);
      if (alone(spot) && least <= WHERE) errors.push(least);
    }
    wrong += pupil.glints.filter((g) => meta.spots.every((s) => distance(s, g) > s.radius + 4)).length;
  }
  return { apart, touching, errors, frames, wrong };
}

export default async function glints(given) {
  const { args, importTs } = given;
  const { createEngine } = await importTs('src/index.ts');
  const { hardSet } = await importTs('lab/eyes/index.ts');
  const count = args.includes('--count') ? Number(args[args.indexOf('--count') + 1]) : 300;
  const engine = await createEngine({ worker: false });
  const runs = [];
  for (const seed of [20, 21]) runs.push(await measure(engine, hardSet({ count, seed })));
  await engine.dispose();
  const report = new Report(given);
  report.line(
    `Frames of the hard rendered set in which a pupil was found (defocus 1.5 px, noise 4 levels); lamps whose images lie within 1.1 diameters of the pupil and apart from others. Found: within ${WHERE} px. What counts as a glint was chosen on seed 20 by hand.`,
  );
  report.table([
    [
      'seed',
      'frames',
      'images of lamps',
      'found, %',
      'touching another',
      'found, %',
      'center, median px',
      'at 95 %',
      'glints where no lamp is, a frame',
    ],
    ...runs.map(({ apart, touching, errors, frames, wrong }, i) => [
      20 + i,
      frames,
      ...[apart, touching].flatMap((list) => [list.length, fixed((100 * list.filter(Boolean).length) / list.length)]),
      ...[0.5, 0.95].map((q) => fixed(quantile(errors, q), 2)),
      fixed(wrong / frames, 3),
    ]),
  ]);
  report.finish('lab/results/pupil-tests.md', 'glints pupil', 'glints pupil');
}
