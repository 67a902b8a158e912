// Vessels: bytes a pixel of the arena at its peak, whole extractions.
import { fixed, Report } from '../../bench/parts/report.mjs';
import { openTimes, SIZES } from './parts/time-bench.mjs';

export default async function memory(given) {
  const report = new Report(given);
  const call = await openTimes(given);
  const rows = [['image', "scales 'thick'", "scales 'all'", 'wanted']];
  for (const [width, height] of [...SIZES, [8000, 6000]])
    rows.push([
      `${width}x${height}`,
      fixed((await call('vesselTimes', width, height, 'thick', 1)).peak, 2),
      fixed((await call('vesselTimes', width, height, 'all', 1)).peak, 2),
      width === 3504 ? 'at most 12' : '',
    ]);
  report.heading('Bytes a pixel of peak arena, from RGBA (4 of them are the source)');
  report.table(rows);
  report.finish('lab/results/performance.md', 'memory vessels', 'memory vessels');
}
