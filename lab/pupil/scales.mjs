// Pupil: every method on every real set at a third to four times its own size: shares, and milliseconds.
//   --every 1: so-many-th frames only; --methods robust,hough; --scales 1,3; --sets eyeloop; --working 640; --write
import { widest } from '../../bench/parts/intervals.mjs';
import { atLeast, atMost, fixed, Report } from '../../bench/parts/report.mjs';
import { openPupilPage } from '../../bench/pupil/parts/pupil-page.mjs';
import { realSets } from '../../bench/pupil/parts/real-sets.mjs';
import { longest, scaled } from '../../bench/pupil/parts/scaled.mjs';
import { score } from '../../bench/pupil/parts/score.mjs';

const METHODS = ['robust', 'starburst', 'threshold', 'hough'];
const SCALES = [0.33, 0.5, 0.75, 1, 1.5, 2, 3, 4];
/** Of the best scale's share, wanted at every scale. */
const WANTED = 0.95;
/** Pixels across up to which a frame is wanted to take no longer than so many times what it takes at the set's own size. */
const [WIDE, LONGER] = [2560, 2];

export default async function scales(given) {
  const { shared, args } = given;
  const listOf = (name, otherwise) => {
    const i = args.indexOf(name);
    return i < 0 ? otherwise : args[i + 1].split(',');
  };
  const report = new Report(given);
  const every = Number(listOf('--every', ['1'])[0]);
  const names = listOf('--sets', null);
  const methods = listOf('--methods', METHODS);
  const factors = listOf('--scales', SCALES).map(Number);
  const [working] = listOf('--working', [null]);
  const params = working && { workingDiagonal: Number(working) };
  const sets = realSets(shared, every)?.filter(({ name, images }) => images && (!names || names.includes(name)));
  if (!sets) {
    report.line('Skipped: there is no ../shared/data (FOVEOLA_SHARED names another folder).');
    return report.finish('lab/results/accuracy.md', 'scales pupil', 'scales pupil');
  }
  const { call } = await openPupilPage(given);
  report.line(
    `Percent of the frames with a pupil (${every > 1 ? `each ${every}th, ` : ''}by itself, defaults) whose center is found within 5 px of the set's own size; ` +
      'in brackets milliseconds, one thread, the mean over the frames of the median of three passes. Sizes by the browser’s best filter. ' +
      `Wanted: at every size at least ${WANTED} of the best one, and at most ${LONGER} times the milliseconds of x1 up to ${WIDE} px across.`,
  );
  let [least, reached, all] = [Infinity, 0, 0];
  let slowest = { longer: 0, words: 'nothing' };
  for (const set of sets) {
    await call(
      'loadImages',
      'own',
      set.images.map((file) => `/shared/data/pupil/${file}`),
    );
    const cells = methods.map(() => []);
    const counts = [];
    for (const scale of factors) {
      await call('rescale', 'scaled', 'own', scale);
      const width = await call('widthOf', 'scaled');
      const truth = set.truth.map((one) => scaled(one, scale));
      for (const [m, method] of methods.entries()) {
        const rows = await call('detect', 'scaled', { method, ...params }, { passes: 3 });
        const { errors, ms } = score(rows, truth, 'ellipse');
        const near = errors.filter(({ center }) => center <= 5 * scale).length;
        counts.push([near, errors.length]);
        cells[m].push({ scale, width, share: (100 * near) / errors.length, ms });
      }
    }
    report.heading(set.title);
    report.table([
      ['', ...factors.map((scale) => `x${scale}`), 'least of best', 'most ms of x1’s'],
      ...methods.map((method, m) => {
        const best = Math.max(...cells[m].map(({ share }) => share));
        const worst = Math.min(...cells[m].map(({ share }) => share)) / best;
        least = Math.min(least, worst);
        reached += cells[m].filter(({ share }) => share >= WANTED * best).length;
        all += cells[m].length;
        const most = longest(cells[m], WIDE);
        if (most.longer > slowest.longer) slowest = { ...most, words: `${method} on ${set.name} at x${most.scale}` };
        return [
          method,
          ...cells[m].map(({ share, ms }) => `${fixed(share)} (${fixed(ms, 1)})`),
          fixed(worst, 2),
          fixed(most.longer, 2),
        ];
      }),
    ]);
    report.line(`${set.title.split(',')[0]}, x1 ${await call('widthOf', 'own')} px across. ${widest(counts)}`);
  }
  report.line(`The least is ${fixed(least, 2)} of the best size's share.`);
  report.line(atLeast(`of ${all} figures that are ${WANTED} of the best size's share and more`, reached, all, 0));
  if (factors.includes(1))
    report.line(
      atMost(
        `times the milliseconds of x1 at any size up to ${WIDE} px across (the most: ${slowest.words})`,
        slowest.longer,
        LONGER,
      ),
    );
  return report.finish('lab/results/accuracy.md', 'scales pupil', 'scales pupil');
}
