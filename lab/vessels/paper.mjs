// Vessels: tables 4 and 5 of paper 003 on photographs, speed-ups over a plain scalar program of the same steps, on one WASM thread.
//   --quick: a photograph of each set; table 3 is `solvers vessels`, the GPU's side `hardware vessels`
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { mean } from '../../bench/parts/numbers.mjs';
import { fixed, Report } from '../../bench/parts/report.mjs';
import { openTimes, SIZES, SPEED_UPS } from './parts/time-bench.mjs';

const SIGMA = 2;
/** Photographs of a data set's full size in ../shared/data/fundus. */
const PHOTOGRAPHS = { '700x605': ['stare', /^im\d+\.png$/], '3504x2336': ['hrf', /^\d+_[a-z]+\.jpg$/] };
const DATA_SET = { '700x605': 'STARE', '2240x1488': 'MESSIDOR', '3504x2336': 'HRF' };

/** Addresses of the photographs of this size on the page's server. */
function addressesOf(shared, size) {
  const [set, pattern] = PHOTOGRAPHS[size] ?? [];
  const folder = shared && set && path.join(shared, 'data/fundus', set);
  if (!folder || !existsSync(folder)) return [];
  const names = readdirSync(folder).filter((name) => pattern.test(name));
  return names.sort().map((name) => `/shared/data/fundus/${set}/${name}`);
}

/** Means of the times over photographs, and the worst of what both programs differ by. */
const joined = (runs) => ({
  scalar: Object.fromEntries(
    Object.keys(runs[0].scalar).map((key) => [key, mean(runs.map(({ scalar }) => scalar[key]))]),
  ),
  ...Object.fromEntries(['eigenvalues', 'thick'].map((key) => [key, mean(runs.map((run) => run[key]))])),
  worst: Math.max(...runs.map(({ worst }) => worst)),
  unlike: runs.reduce((sum, { unlike }) => sum + unlike, 0),
});

export default async function paper(given) {
  const report = new Report(given);
  const call = await openTimes(given);
  const quick = given.args.includes('--quick');
  report.line(
    `The green channel of photographs (of MESSIDOR, which is not here: a drawn fundus of its size), sigma ${SIGMA}; milliseconds by the clock, one ` +
      'thread, images in memory, means over the photographs. Scalar: lab/vessels/parts/baseline.ts, algorithm 1 as printed with the root put right, ' +
      'the least of some rounds; WASM: the median. The paper’s ratios are to its own program on four cores.',
  );
  const results = [];
  for (const [width, height] of SIZES) {
    const size = `${width}x${height}`;
    const photographs = addressesOf(given.shared, size).slice(0, quick ? 1 : 10);
    const runs = [];
    for (const address of photographs.length ? photographs : [null])
      runs.push(await call('paperTimes', width, height, SIGMA, quick ? 2 : 7, address));
    results.push([size, photographs.length, joined(runs)]);
  }
  const table = (key, devices, rows) =>
    report.table([
      [
        'image',
        'of',
        'photographs',
        'scalar',
        'WASM',
        'times the scalar',
        ...devices.map((name) => `the paper, GTX ${name}`),
      ],
      ...rows.map(([size, count, scalar, own]) => [
        ...[
          size,
          DATA_SET[size],
          count || 'drawn',
          fixed(scalar, 1),
          fixed(own, 2),
          own ? fixed(scalar / own, 1) : '-',
        ],
        ...SPEED_UPS[key][size],
      ]),
    ]);
  report.heading('Table 4: eigenvalues');
  const rowsOf = (key) => results.map(([size, count, { scalar, ...own }]) => [size, count, scalar[key], own[key]]);
  table('eigenvalues', [950, 960, 980], rowsOf('eigenvalues'));
  report.heading('Table 5: thick vessels from the eigenvalues');
  table('thick', [950, 960], rowsOf('thick'));
  report.line(
    'Dark lines of one scale above a level, which is all that the paper says of its own extraction; `engine.vessels` is another ' +
      'method, with its times in the table of whole extractions.',
  );
  const worst = Math.max(...results.map(([, , one]) => one.worst));
  const unlike = results.map(([size, , one]) => `${size}: ${one.unlike}`).join(', ');
  report.line(
    `Both programs agree: eigenvalues within ${worst.toExponential(1)}; pixels of the masks that differ, ${unlike}.`,
  );
  report.finish('lab/results/performance.md', 'paper vessels', 'paper vessels');
}
