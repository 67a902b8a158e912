// Paper 001's steps in its scalar program, each with and without: table of sines, maximum while voting, joined loops.
//   --quick: three rounds
import { quantile } from '../../bench/parts/numbers.mjs';
import { fixed, Report } from '../../bench/parts/report.mjs';

/** Median milliseconds of each, turn about. */
function turnAbout(bodies, rounds) {
  const times = bodies.map(() => []);
  for (let round = 0; round <= rounds; round++)
    bodies.forEach((body, k) => {
      const start = performance.now();
      body();
      if (round) times[k].push(performance.now() - start);
    });
  return times.map((list) => quantile(list, 0.5));
}

export default async function ablations(given) {
  const { args, importTs } = given;
  const rounds = args.includes('--quick') ? 3 : 41;
  const { lines, nextPatch, drawnHole } = await importTs('lab/edges/parts/ablations.ts');
  const { plainCanny } = await importTs('lab/edges/parts/baseline.ts');
  const { eyeScene } = await importTs('lab/edges/parts/scenes.ts');
  const scene = eyeScene(400, 400);
  const edges = { ...scene, data: plainCanny(scene, 50, 150, true) };
  const hole = drawnHole();
  const report = new Report(given);
  report.heading('Scalar program, 400x400, ms');
  const rows = [
    ['sines and cosines: table, where needed', () => lines(edges), () => lines(edges, { table: false })],
    ['greatest counter: kept while voting, by a pass', () => lines(edges, { inside: true }), () => lines(edges)],
    ['front and priority: one loop, two', () => nextPatch(hole, true), () => nextPatch(hole, false)],
  ];
  report.table([
    ['step', 'with it', 'without it', 'without / with'],
    ...rows.map(([name, first, second]) => {
      const [a, b] = turnAbout([first, second], rounds);
      return [name, fixed(a, 3), fixed(b, 3), fixed(b / a, 2)];
    }),
  ]);
  report.line(
    'TypeScript, one thread, by the clock. The paper: the table made its program in C notably faster and its GPU slower; the greatest counter is kept ' +
      'in the kernel to save the start of another; front and priority were joined for the same reason. It prints no figures of these.',
  );
  report.finish('lab/results/performance.md', 'ablations edges', 'ablations edges');
}
