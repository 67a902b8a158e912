// Vessels: the Hessian's solution alone (table 3, figures 7 to 9) and against general solvers (figures 12, 13) on photographs.
//   --photographs N: maximum number of each set, 10; --quick: one of each. cv2 and numpy are asked where python3 has them
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { CHANNELS, decodeImages } from '../../tools/decode-images.mjs';
import { argument } from '../../bench/parts/kept-result.mjs';
import { mean, quantile } from '../../bench/parts/numbers.mjs';
import { python } from '../../bench/parts/python.mjs';
import { fixed, Report } from '../../bench/parts/report.mjs';
import { openSolver, SOLVERS } from './parts/solver.mjs';
import { SPEED_UPS } from './parts/time-bench.mjs';

const SIGMA = 2;
const SETS = [
  ['STARE', 'data/fundus/stare', /^im\d+\.png$/, '700x605'],
  ['HRF', 'data/fundus/hrf', /^\d+_[a-z]+\.jpg$/, '3504x2336'],
];
/** The paper on 10 photographs of HRF: its program on a GTX 960, OpenCV's solver, cusolver's; seconds. */
const PAPER = { own: 0.17, openCv: 4.15, cusolver: 1.4 };

function byLibraries(root, planes, calls) {
  const folder = mkdtempSync(path.join(tmpdir(), 'foveola-'));
  try {
    const file = path.join(folder, 'planes');
    writeFileSync(file, Buffer.concat(planes.map(({ buffer }) => Buffer.from(buffer))));
    return python(path.join(root, 'lab/vessels/solvers.py'), file, planes[0].length, calls);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function median(rounds, body) {
  body();
  const times = Array.from({ length: rounds }, () => {
    const start = performance.now();
    body();
    return performance.now() - start;
  });
  return quantile(times, 0.5);
}

/** Milliseconds of everything on one photograph, and the largest difference from algorithm 1. */
function measure(own, runtime, solver, root, photograph, rounds) {
  const { width, height, data } = photograph;
  const { across, down, diagonal } = own.directions(data, width, height, SIGMA);
  const [low, high] = own.hessian({ across, down, diagonal });
  const held = solver.hold({ across, down, diagonal });
  const times = { scalar: median(rounds, () => own.hessian({ across, down, diagonal })) };
  let worst = 0;
  for (const name of SOLVERS) {
    times[name] = median(name.startsWith('by') ? 1 : rounds, () => held.run(name));
    const found = [held.low(), held.high()];
    for (let i = 0; i < low.length; i++)
      worst = Math.max(worst, Math.abs(found[0][i] - low[i]), Math.abs(found[1][i] - high[i]));
  }
  times.whole = median(rounds, () => {
    times.last = own.wholeEigenvalues(runtime, photograph, SIGMA);
  });
  return { times, worst, libraries: byLibraries(root, [across, down, diagonal], 100_000) };
}

export default async function solvers(given) {
  const { args, root, shared, importTs, openBrowser, log } = given;
  if (!shared || !existsSync(path.join(shared, 'data/fundus'))) return log('needs the photographs of ../shared/data');
  const most = args.includes('--quick') ? 1 : Number(argument(args, '--photographs') ?? 10);
  const own = await importTs('lab/vessels/parts/solver-run.ts');
  const module = await WebAssembly.compile(readFileSync(path.join(root, 'dist/kernels.wasm')));
  const runtime = await own.Runtime.create({ module, maximum: 1 << 30 });
  const solver = await openSolver();
  const report = new Report(given);
  report.line(
    `The green channel of photographs, sigma ${SIGMA}, one thread; the three second differences lie in memory. Scalar: TypeScript, algorithm 1 ` +
      'with the root put right. WASM: lab/vessels/solver; Jacobi and QL compute vectors too, as the libraries do. Milliseconds by the clock, medians.',
  );
  const rows = [['photograph', 'scalar', 'algorithm 1, WASM', 'algorithm 2, WASM', 'four at a time', 'scalar / four']];
  const general = [['photograph', 'eigenvalues with Gaussian, WASM', 'solution alone, four at a time', 'Jacobi, WASM', 'OpenCV’s eigen, a call each', 'of that, the call', 'QL, WASM', 'LAPACK’s syevd (numpy)', 'Jacobi / four', 'QL / four']]; // prettier-ignore
  const ratios = [['set', 'photographs', 'scalar / four', 'algorithm 1 / four', 'the paper, global memory and shared, GTX 960']]; // prettier-ignore
  const GLOBAL = { STARE: 17.5, HRF: 28.59 };
  let worst = 0;
  let libraries = null;
  for (const [set, folder, pattern, size] of SETS) {
    const names = readdirSync(path.join(shared, folder)).filter((name) => pattern.test(name)).sort().slice(0, most); // prettier-ignore
    const all = [];
    for (const name of names) {
      const [photograph] = await decodeImages([path.join(shared, folder, name)], openBrowser, CHANNELS.green);
      const one = measure(own, runtime, solver, root, photograph, set === 'HRF' ? 5 : 15);
      const { times: t } = one;
      const peers = (libraries = one.libraries);
      all.push(t);
      worst = Math.max(worst, one.worst);
      const title = `${set} ${name}, ${photograph.width}x${photograph.height}`;
      rows.push([title, ...[t.scalar, t.twice, t.once, t.four].map((v) => fixed(v, 2)), fixed(t.scalar / t.four, 1)]);
      general.push([title, ...[t.whole, t.four, t.byJacobi, peers.eigen, peers.call, t.byQl, peers.eigh].map((v) => fixed(v, 2)), ...[t.byJacobi, t.byQl].map((v) => fixed(v / t.four, 1))]); // prettier-ignore
    }
    const over = (key) => fixed(mean(all.map((t) => t[key] / t.four)), 1);
    ratios.push([set, names.length, over('scalar'), over('twice'), `${GLOBAL[set]}, ${SPEED_UPS.hessian[size][1]}`]);
  }
  report.heading('Figures 7 to 9: the solution alone');
  report.table(rows);
  report.heading('Table 3: speed-up of the solution');
  report.table(ratios);
  report.heading('Figures 12 and 13: against general solvers');
  report.table(general);
  report.line(
    libraries?.skipped
      ? `OpenCV and LAPACK: skipped (${libraries.skipped}).`
      : `OpenCV ${libraries?.version}, numpy ${libraries?.numpy}. OpenCV’s eigen takes one matrix a call, so 100,000 pixels are solved from Python and the time is that of all pixels at this pace.`,
  );
  report.line(
    `Largest difference of any solver from algorithm 1: ${worst.toExponential(1)}. The paper: ${PAPER.own} s by its program with Gaussian and differences, ` +
      `${PAPER.openCv} s with OpenCV’s solver, ${PAPER.cusolver} s with cusolverDnDsyevd, on 10 photographs of HRF.`,
  );
  runtime.dispose();
  report.finish('lab/results/performance.md', 'solvers vessels', 'solvers vessels');
}
