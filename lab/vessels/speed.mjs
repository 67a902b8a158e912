// Vessels: eigenvalues on one WASM thread against native OpenCV, copies apart.
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
  } finally {
    rmSync(folder, { recursive: true });
  }
  report.finish('lab/results/performance.md', 'speed vessels', 'speed vessels');
}
