// Vessels on the GPU: transfers, Hessian and eigenvalues apart against the paper's GPUs; whole extractions on both sides.
//   --pack FOLDER: writes the page for a machine with a GPU instead; --result FILE: prints what that page gave (JSON)
import path from 'node:path';
import { argument, readResult } from '../../bench/parts/kept-result.mjs';
import { packPage } from '../parts/pack-page.mjs';
import { atMost, fixed, Report } from '../../bench/parts/report.mjs';
import { openTimes, SPEED_UPS } from './parts/time-bench.mjs';

const ENTRY = { entry: 'lab/vessels/parts/time-page.ts', name: 'vesselTimes', title: 'hardware vessels' };
/** Milliseconds of paper 003: GTX 950 and GTX 960; the HRF image on the latter. */
const PAPER = { '700x605, sigma 2': '27.2 / 17', '3504x2336, sigma 2': '170', '700x605, thick': '39' };
const two = (value) => fixed(value, 2);

export default async function hardware(given) {
  const { args, log } = given;
  const folder = argument(args, '--pack');
  if (folder) {
    await packPage(path.resolve(folder), ENTRY);
    return log(`${folder}/page.html measures when it is opened; its figures are in window.__result.`);
  }
  const file = argument(args, '--result');
  const report = new Report(given);
  const result = file ? readResult(file, report) : await (await openTimes(given))('measure');
  const { machine, ...cases } = result;
  report.line(
    `${machine.renderer}${machine.software ? ': software, which says only that everything runs' : ''}. Medians, ms; ` +
      'without "GPU clock" until a fence has passed.',
  );
  const failed = Object.entries(cases).filter(([, { error }]) => error);
  const good = Object.entries(cases).filter(([, { error }]) => !error);
  const stages = good.filter(([, { gpu }]) => typeof gpu === 'object');
  const scalar = good.filter(([name]) => name.includes('scalar'));
  const alone = good.filter(([name]) => name.endsWith('the solution alone'));
  const whole = good.filter((one) => !stages.includes(one) && !scalar.includes(one) && !alone.includes(one));
  report.heading('Eigenvalues, left on the GPU, four pixels a texel');
  const columns = ['upload and eigenvalues', 'upload', 'hessian', 'hessian, GPU clock', 'eigenvalues'];
  report.table([
    [
      ...['image', 'upload and eigenvalues', 'upload', 'Hessian', 'GPU clock', 'with eigenvalues', 'GPU clock'],
      ...['read-back of both', 'WASM, one thread', "the paper's GPUs"],
    ],
    ...stages.map(([name, { gpu, wasm }]) => [
      name,
      ...columns.map((column) => two(gpu[column])),
      ...[gpu['eigenvalues, GPU clock'], gpu['read-back'], wasm.eigenvalues].map(two),
      PAPER[name] ?? '',
    ]),
  ]);
  if (scalar.length) {
    report.heading('Eigenvalues against the plain scalar program on the same machine, sigma 2 (table 4 of the paper)');
    report.table([
      [
        'image',
        'scalar',
        'WASM, one thread',
        'times',
        'GPU, upload included',
        'times',
        'the paper, GTX 950 / 960 / 980',
      ],
      ...scalar.map(([name, { eigenvalues }]) => {
        const size = name.split(',')[0];
        const { gpu, wasm } = cases[`${size}, sigma 2`];
        const onGpu = gpu['upload and eigenvalues'];
        const ratio = (ms) => fixed(eigenvalues / ms, 1);
        const own = [two(eigenvalues), two(wasm.eigenvalues), ratio(wasm.eigenvalues), two(onGpu), ratio(onGpu)];
        return [size, ...own, SPEED_UPS.eigenvalues[size].join(' / ')];
      }),
    ]);
  }
  if (alone.length) {
    report.heading('The Hessian’s solution alone (table 3 and figure 10 of the paper)');
    report.table([
      ['image', 'scalar', 'until a fence', 'GPU clock', 'scalar / clock', 'upload of three planes', 'read-back of two', 'the paper, GTX 950 / 960 / 980'], // prettier-ignore
      ...alone.map(([name, { solution, clock, upload, 'read-back': read }]) => {
        const size = name.split(',')[0];
        const plain = cases[`${size}, scalar, sigma 2`]?.hessian;
        const times = [plain, solution, clock].map(two);
        return [size, ...times, fixed(plain / clock, 1), two(upload), two(read), SPEED_UPS.hessian[size].join(' / ')];
      }),
    ]);
  }
  report.heading('Whole extractions from RGBA bytes, transfers included');
  report.table([
    [
      'image',
      'working pixels',
      'GPU side',
      'WASM side',
      'line response, GPU',
      'line response, WASM',
      "the paper's GPU",
    ],
    ...whole.map(([name, times]) => [
      name,
      times.working,
      ...['gpu', 'wasm', 'response, gpu', 'response, wasm'].map((key) => two(times[key])),
      PAPER[name] ?? '',
    ]),
  ]);
  const { gpu: large } = cases['3504x2336, sigma 2'] ?? {};
  if (large) report.line(atMost('ms of eigenvalues at 3504x2336 that stay', large.eigenvalues, 12, 1));
  for (const [name, { error }] of failed) report.line(`${name} failed: ${error}`);
  report.finish('lab/results/performance.md', 'hardware vessels', `hardware vessels${file ? ` --result ${file}` : ''}`);
}
