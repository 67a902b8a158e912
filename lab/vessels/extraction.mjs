// Vessels: whole extractions on one WASM thread, by lines and by the network.
import { fixed, Report } from '../../bench/parts/report.mjs';
import { openTimes, SIZES } from './parts/time-bench.mjs';

export default async function extraction(given) {
  const quick = given.args.includes('--quick');
  const report = new Report(given);
  const call = await openTimes(given);
  report.heading('Whole extraction from RGBA, one thread, ms');
  const whole = [
    ['image', 'variant', 'whole', 'working plane', 'line response', 'level, cleaning, results at full size', 'wanted'],
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
  report.finish('lab/results/performance.md', 'extraction vessels', 'extraction vessels');
}
