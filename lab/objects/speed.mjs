// Milliseconds a frame of one target by frame size, one and two WASM threads, beside OpenCV's TLD; and of several targets. [quick]
//   --write: into docs
import { existsSync } from 'node:fs';
import path from 'node:path';
import { fixed, Report } from '../../bench/parts/report.mjs';
import { readClips } from './parts/clips.mjs';
import { nativeTld, openSides, processor } from './parts/sides.mjs';

const SIZES = [
  [320, 240],
  [640, 480],
  [1280, 720],
  [1920, 1080],
];
const STEPS = 16;
const WARM = 6;
const COUNTS = [1, 2, 4, 8];

/** Boxes of one size spread over the frame; the first is the clip's own. */
function boxes({ width, height, box }, count) {
  return Array.from({ length: count - 1 }, (_, i) => ({
    ...box,
    x: ((i % 4) + 0.5) * ((width - box.width) / 4),
    y: (i < 4 ? 0.12 : 0.62) * (height - box.height),
  }));
}

export default async function speed(given) {
  const { shared, log } = given;
  if (!shared || !existsSync(path.join(shared, 'data/tld'))) return log('skipped: no sequences here');
  const sides = await openSides(given);
  const clips = readClips(shared, STEPS + 1);
  const report = new Report(given);
  const run = (runtime, clip, more = []) =>
    sides.runClip(runtime, clip, { frames: STEPS, warm: WARM, cpu: processor, more });
  const shown = ({ ms, cpu, skipped }) => (skipped ? '-' : `${fixed(ms, 2)} (${fixed(cpu, 2)})`);
  report.heading('One target, milliseconds a frame: median of the clock (mean of processor time)');
  const rows = [['clip', 'frame', 'one thread', 'two threads', "OpenCV's TLD", 'results of both equal']];
  let skipped = null;
  for (const clip of clips)
    for (const [width, height] of SIZES) {
      const large = sides.enlarged(clip, width, height);
      const one = await run(sides.one, large);
      const two = await run(sides.two, large);
      const opencv = nativeTld(large, STEPS, WARM);
      skipped ??= opencv.skipped;
      rows.push([
        clip.name,
        `${width}x${height}`,
        ...[one, two, opencv].map(shown),
        one.digest === two.digest ? 'yes' : 'NO',
      ]);
    }
  report.table(rows);
  if (skipped) report.line(`No OpenCV's TLD: ${skipped}.`);
  report.heading('Several targets of one size, milliseconds a frame, one thread');
  const many = [
    ['clip', 'frame', ...COUNTS.map((n) => (n === 1 ? '1 target' : `${n} targets`)), '8 against 8 times 1'],
  ];
  for (const clip of clips)
    for (const [width, height] of [SIZES[0], SIZES[3]]) {
      const large = sides.enlarged(clip, width, height);
      const times = [];
      for (const count of COUNTS) times.push(await run(sides.one, large, boxes(large, count)));
      const share = times[times.length - 1].cpu / (COUNTS[COUNTS.length - 1] * times[0].cpu);
      many.push([clip.name, `${width}x${height}`, ...times.map(shown), `${fixed(100 * share, 0)} %`]);
    }
  report.table(many);
  sides.dispose();
  report.finish('lab/results/performance.md', 'speed objects', 'speed objects');
}
