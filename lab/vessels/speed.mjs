// Vessels: eigenvalues on one WASM thread against native OpenCV, copies apart; whole extractions.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fixed, Report } from '../../bench/parts/report.mjs';
import { python } from '../../bench/parts/python.mjs';
import { openTimes, SIZES, thickSigma } from './parts/time-bench.mjs';

const LIMIT = { '700x605': 3, '3504x2336': 60 };

export default async function speed(given) {
  const quick = given.args.includes('--quick');
  const report = new Report(given);
  const call = await openTimes(given);
  const folder = mkdtempSync(path.join(tmpdir(), 'foveola-'));
  try {
    report.heading('Eigenvalues of the Hessian, one thread, ms; left where they are computed');
    const rows = [
      ['image', 'sigma', 'WASM', 'copy of the image', 'native OpenCV filters', 'with eigenvalues (numpy)', 'wanted'],
    ];
    for (const [width, height] of SIZES)
      for (const sigma of [2, thickSigma(width)]) {
        const own = await call('wasmTimes', width, height, sigma, quick ? 3 : 9);
        const file = path.join(folder, 'gray');
        writeFileSync(
          file,
          Uint8Array.from({ length: width * height }, (_, i) => (Math.imul(i, 2654435761) >>> 24) / 2),
        );
        const peer = python(
          path.join(given.root, 'lab/vessels/native.py'),
          width,
          height,
          sigma,
          file,
          quick ? 0.2 : 1,
        );
        const name = `${width}x${height}`;
        rows.push([
          name,
          sigma,
          ...[own.eigenvalues, own.copy, peer.filters, peer.whole].map((v) => fixed(v, 2)),
          sigma === 2 ? (LIMIT[name] ?? '') : '',
        ]);
      }
    report.table(rows);
    report.heading('Whole extraction from RGBA, one thread, ms');
    const whole = [
      [
        'image',
        'variant',
        'whole',
        'working plane',
        'line response',
        'level, cleaning, results at full size',
        'wanted',
      ],
    ];
    for (const [width, height] of SIZES) {
      for (const scales of ['thick', 'all']) {
        const rounds = quick ? 3 : scales === 'thick' ? 15 : 7;
        const { ms, plane, response, rest } = await call('vesselTimes', width, height, scales, rounds);
        const wanted = width === 700 && scales === 'thick' ? 20 : '';
        const name = `lines, ${scales}`;
        whole.push([`${width}x${height}`, name, ...[ms, plane, response, rest].map((v) => fixed(v, 1)), wanted]);
      }
      const learned = await call('networkTime', width, height, quick ? 1 : 5);
      whole.push([`${width}x${height}`, 'network', fixed(learned, 1), '', '', '', width === 3504 ? 3000 : '']);
    }
    report.table(whole);
    report.line(
      'The paper: 39 ms for a whole extraction at 700x605 on a GTX 960, of a method that it does not describe.',
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
  report.finish('lab/results/performance.md', 'speed vessels', 'speed vessels');
}
