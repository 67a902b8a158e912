// Objects: ten thousand frames of one target; memory and time a frame must not grow.
//   --frames N
import { existsSync } from 'node:fs';
import path from 'node:path';
import { fixed, Report } from '../../bench/parts/report.mjs';
import { openSequence } from '../../bench/objects/parts/sequences.mjs';
import { median } from '../../bench/parts/numbers.mjs';

export default async function endurance(given) {
  const { args, shared, log, importTs, root } = given;
  if (!shared || !existsSync(path.join(shared, 'data/tld'))) return log('skipped: no sequences here');
  const count = args.includes('--frames') ? Number(args[args.indexOf('--frames') + 1]) : 10_000;
  const { openTracker } = await importTs('lab/objects/parts/core.ts');
  const { readFileSync } = await import('node:fs');
  const sequence = openSequence(shared, 'david');
  const core = await openTracker(
    readFileSync(path.join(root, 'dist/kernels.wasm')),
    sequence.frame(0),
    sequence.truth[0],
  );
  const times = [];
  const memory = [];
  // Forward and back, so that there is no cut.
  const period = 2 * (sequence.frames - 1);
  for (let i = 1; i <= count; i++) {
    const k = i % period;
    const frame = sequence.frame(k < sequence.frames ? k : period - k);
    const start = performance.now();
    core.process(frame, 40 * i);
    times.push(performance.now() - start);
    if (i % 1000 === 0) {
      globalThis.gc?.();
      memory.push([
        i,
        core.arenaBytes() / 2 ** 20,
        process.memoryUsage().heapUsed / 2 ** 20,
        median(times.slice(-1000)),
      ]);
    }
  }
  const report = new Report(given);
  report.heading(`Endurance: ${count} frames of david, forward and back, WASM one thread`);
  report.table([
    ['frames', 'arena in use, MiB', 'JavaScript heap, MiB', 'ms a frame, median of the last 1000'],
    ...memory.map(([i, arena, heap, ms]) => [i, fixed(arena, 2), fixed(heap, 1), fixed(ms, 2)]),
  ]);
  report.finish('lab/results/performance.md', 'endurance objects', 'endurance objects');
}
