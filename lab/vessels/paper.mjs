// Vessels: tables 3 to 5 of paper 003, speed-ups over a plain scalar program of the same steps, on one WASM thread.
//   --write: into docs; the GPU's side of table 4 comes from `bench hardware vessels`
import { fixed, Report } from '../../bench/parts/report.mjs';
import { openTimes, SIZES, SPEED_UPS } from './parts/time-bench.mjs';

const SIGMA = 2;
const DATA_SET = { '700x605': 'STARE', '2240x1488': 'MESSIDOR', '3504x2336': 'HRF' };

export default async function paper(given) {
  const report = new Report(given);
  const call = await openTimes(given);
  report.line(
    `A drawn fundus of the size of each data set’s photographs, green channel, sigma ${SIGMA}; milliseconds by the clock, one ` +
      'thread, images in memory. Scalar: lab/vessels/parts/baseline.ts, algorithm 1 as printed with the root put right, the least of some rounds; ' +
      'WASM: the median. The paper’s ratios are to its own program on four cores.',
  );
  const results = [];
  for (const [width, height] of SIZES) {
    const rounds = given.args.includes('--quick') ? 2 : 7;
    results.push([`${width}x${height}`, await call('paperTimes', width, height, SIGMA, rounds)]);
  }
  const table = (key, devices, rows) =>
    report.table([
      ['image', 'of', 'scalar', 'WASM', 'times the scalar', ...devices.map((name) => `the paper, GTX ${name}`)],
      ...rows.map(([size, scalar, own]) => [
        ...[size, DATA_SET[size], fixed(scalar, 1), fixed(own, 2), own ? fixed(scalar / own, 1) : '-'],
        ...SPEED_UPS[key][size],
      ]),
    ]);
  report.heading('Table 3: the Hessian’s solution alone');
  table('hessian', [950, 960, 980], results.map(([size, { scalar }]) => [size, scalar.hessian, NaN])); // prettier-ignore
  report.line(
    'There is no such step here: second differences and root are one pass over rows that are still in the cache, and the three ' +
      'images between them are never made. What stands for it is in table 4.',
  );
  report.heading('Table 4: eigenvalues');
  const rowsOf = (key) => results.map(([size, { scalar, ...own }]) => [size, scalar[key], own[key]]);
  table('eigenvalues', [950, 960, 980], rowsOf('eigenvalues'));
  report.heading('Table 5: thick vessels from the eigenvalues');
  table('thick', [950, 960], rowsOf('thick'));
  report.line(
    'Dark lines of one scale above a level, which is all that the paper says of its own extraction; `engine.vessels` is another ' +
      'method, with its times in the table of whole extractions.',
  );
  const worst = Math.max(...results.map(([, one]) => one.worst));
  const unlike = results.map(([size, one]) => `${size}: ${one.unlike}`).join(', ');
  report.line(
    `Both programs agree: eigenvalues within ${worst.toExponential(1)}; pixels of the masks that differ, ${unlike}.`,
  );
  report.finish('lab/results/performance.md', 'paper vessels', 'paper vessels');
}
