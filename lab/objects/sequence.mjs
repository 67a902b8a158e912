// Table 1 of paper 004, "time for the whole sequence": components over 464 frames of car at 1920x1080, scalar and WASM.
//   --frames N; --quick: 12 frames
import { existsSync } from 'node:fs';
import path from 'node:path';
import { openSequence } from '../../bench/objects/parts/sequences.mjs';
import { argument } from '../../bench/parts/kept-result.mjs';
import { fixed, Report } from '../../bench/parts/report.mjs';
import { openSides } from './parts/sides.mjs';

/** Frames of the paper's own sequence. */
const FRAMES = 464;
const SIZE = [1920, 1080];
const NAMES = {
  ...{ blur: 'image blurring', integral: 'integral images', flow: 'LK optical flow', learning: 'learning, with patch warping' }, // prettier-ignore
  ...{ similarity: 'NCC, candidates', variance: 'total recall: variance', compaction: 'total recall: compaction' },
  ...{ indices: 'total recall: fern indices and confidences', others: 'rest in kernels' },
};

export default async function sequence(given) {
  const { args, shared, log } = given;
  if (!shared || !existsSync(path.join(shared, 'data/tld'))) return log('skipped: no sequences here');
  const sides = await openSides(given);
  const car = openSequence(shared, 'car');
  const wanted = args.includes('--quick') ? 12 : Number(argument(args, '--frames') ?? FRAMES);
  const count = Math.min(wanted, car.frames);
  const [width, height] = SIZE;
  const clipOf = (i) =>
    sides.enlarged({ name: 'car', width: car.width, height: car.height, box: car.truth[0], frames: [car.frame(i).data] }, width, height); // prettier-ignore
  const { box } = clipOf(0);
  const frame = (i) => clipOf(i).frames[0];
  const report = new Report(given);
  report.line(
    `The first ${count} frames of car, enlarged to ${width}x${height}, by the tracker as published, one thread. A call: a component in a frame, with all ` +
      'kernels of it. The paper’s own sequence of as many frames is not here.',
  );
  for (const [side, title] of [
    ['scalar', 'Scalar baseline'],
    ['one', 'WASM, one thread'],
  ]) {
    const run = await sides.runSequence(sides[side], { name: 'car', width, height, box, count, frame }, { variant: 'paper' }); // prettier-ignore
    const parts = [...run.components].sort(([, a], [, b]) => b.ms - a.ms);
    const sum = parts.reduce((total, [, { ms }]) => total + ms, 0);
    report.heading(`Table 1, whole sequence: ${title}`);
    report.table([
      ['component', 'calls', 'ms a call', 'whole sequence, ms', 'share'],
      ...parts.map(([name, { ms, calls }]) => [NAMES[name] ?? name, calls, fixed(ms / calls, 3), fixed(ms, 0), `${fixed((100 * ms) / sum, 1)} %`]), // prettier-ignore
      ['all', '', '', fixed(sum, 0), '100 %'],
    ]);
    report.line(`Frames with a box: ${run.found} of ${count - 1}.`);
  }
  sides.dispose();
  report.finish('lab/results/performance.md', 'sequence objects', 'sequence objects');
}
