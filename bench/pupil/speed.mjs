// Pupil: first frame and tracking rate of WASM at 1280x1024, one thread, pixels in memory; equal to whole frames or not.
//   --quick: 100 frames; --frames N
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fixed, Report } from '../parts/report.mjs';
import { openPupilPage } from './parts/pupil-page.mjs';
import { mean, quantile } from '../parts/numbers.mjs';
import { throughEngine } from './parts/speed-engine.mjs';

const SETTINGS = { method: 'starburst', rays: 20, sets: 1024, iterations: 10 };
const RUNS = [
  ['default, circle fit', { ...SETTINGS, fit: 'circle' }],
  ['default, ellipse fit', { ...SETTINGS, fit: 'ellipse' }],
  ['paper, circle fit', { ...SETTINGS, variant: 'paper', fit: 'circle' }],
];
const FIRST = 5;
const RATE = 1260;

/** The same module in Node. */
async function inNode({ root, importTs }) {
  const module = await importTs('bench/pupil/parts/speed.ts');
  const bytes = readFileSync(path.join(root, 'dist/kernels.wasm'));
  return {
    place: `Node ${process.versions.node}`,
    open: async (count) => module.openSpeed(await WebAssembly.compile(bytes), count),
    call: async (name, ...args) => module[name](...args),
  };
}

async function inBrowser(given) {
  const { page, call, browser } = await openPupilPage(given);
  return {
    place: await browser.version(),
    page,
    open: (count) =>
      page.evaluate(async (count) => {
        const bytes = await (await fetch('/dist/kernels.wasm')).arrayBuffer();
        await globalThis.pupilBench.openSpeed(await WebAssembly.compile(bytes), count);
      }, count),
    call,
  };
}

async function measure(report, { place, open, call }, count, quick) {
  await open(count);
  while ((await call('renderSequence', 20)) < count);
  report.heading(`${place}, ${count} frames of the paper’s sequence, one thread`);
  const rows = [
    [
      '',
      'ms mean',
      'median',
      'p99',
      'max',
      'mean of the least',
      'frames a second',
      'at p99',
      'found',
      'missed',
      'false',
      'center px',
    ],
  ];
  const verdicts = [];
  for (const [name, params] of RUNS) {
    for (const first of [true, false]) {
      const speed = await call('play', params, { first, count: quick ? 3 : 5 });
      const { ms, found, missed, alarms, center } = speed;
      const all = quantile(speed.means, 0.5);
      const p99 = quantile(ms, 0.99);
      rows.push([
        `${name}, ${first ? 'first frame' : 'tracking'}`,
        ...[all, quantile(ms, 0.5), p99, Math.max(...ms), mean(speed.least)].map((value) => fixed(value, 3)),
        fixed(1000 / all, 0),
        fixed(1000 / p99, 0),
        found,
        missed,
        alarms,
        fixed(center, 3),
      ]);
      if (!first && speed.silent.length) {
        const lost = mean(speed.silent.map((i) => ms[i]));
        const rest = mean(ms.filter((_, i) => !speed.silent.includes(i)));
        verdicts.push(
          `${name}, tracking: ${speed.silent.length} frames without a reported pupil (blinks, losses) take ${fixed(lost, 2)} ms each, the others ${fixed(rest, 2)} ms`,
        );
      }
      if (name.startsWith('paper')) continue;
      const value = first ? quantile(ms, 0.5) : 1000 / all;
      const reached = first ? value <= FIRST : value >= RATE;
      verdicts.push(
        first
          ? `${name}: first frame ${fixed(value, 2)} ms at the median, ${fixed(p99, 2)} ms at p99; wanted at most ${FIRST} ms: ` +
              `${reached ? 'reached at the median' : 'NOT reached'}${reached ? (p99 <= FIRST ? ' and at p99' : ', NOT at p99') : ''}`
          : `${name}: tracking at ${fixed(value, 0)} frames a second in the mean, losses included, ${fixed(1000 / p99, 0)} at p99 of the time; wanted ${RATE}: ` +
              `${reached ? 'reached' : 'NOT reached'}${p99 <= 1000 / RATE ? '' : ', NOT at p99'}`,
      );
    }
  }
  report.table(rows);
  report.list(verdicts);
  const fresh = await call('newTrackers', RUNS[0][1], 20);
  report.line(
    `A new tracker and its first frame, memory for it included: ${fixed(quantile(fresh, 0.5), 2)} ms (median of 20, most ${fixed(Math.max(...fresh), 2)}).`,
  );
  for (const [name, params] of RUNS) {
    const whole = await call('play', { ...params, tilesOnDemand: false }, { count: 1 });
    const tracked = await call('differences', params, {});
    const single = await call('differences', params, { first: true });
    report.line(
      `${name}: computed over whole frames, tracking takes ${fixed(mean(whole.means), 2)} ms a frame; results that differ from tiles on demand: ` +
        `${tracked.length} of ${count} tracked, ${single.length} of ${count} as first frames.` +
        (tracked.length || single.length ? ` Frames ${[...tracked, ...single].slice(0, 20).join(' ')}.` : ''),
    );
  }
}

export default async function speed(given) {
  const { args } = given;
  const quick = args.includes('--quick');
  const asked = args.indexOf('--frames');
  const count = asked >= 0 ? Number(args[asked + 1]) : quick ? 100 : 600;
  const report = new Report(given);
  report.line(
    'The paper’s rendered sequence (lab/eyes: runs of 100 frames of one subject at 250 a second with drift, tremor, ' +
      'saccades and blinks, then a cut to another subject) at 1280x1024; 20 rays, 1024 sets, at most 10 iterations. The ' +
      'frames lie in the linear memory as planes, each at its own address; timed is PupilTrackerCore.process, the call that ' +
      'the engine makes, by the wall clock. Per frame the median of five rounds; mean: the median of the rounds’ means; mean of the least: of each frame’s ' +
      'least, which other programs on the machine disturb less. ' +
      'Tracking: in sequence, losses, cuts and blinks included. First frame: reset before every frame, so the whole search.',
  );
  const browser = await inBrowser(given);
  await measure(report, browser, count, quick);
  await measure(report, await inNode(given), count, quick);
  await throughEngine(given, report, Math.min(count, quick ? 60 : 200));
  report.finish('lab/results/performance.md', 'speed pupil', 'speed pupil');
}
