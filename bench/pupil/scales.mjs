// Pupil: every method on every real set at a third to four times its own size: shares, and time a megapixel.
//   --every 1: so-many-th frames only; --methods robust,hough; --scales 1,3; --sets eyeloop; --working 640; --write
import { atLeast, fixed, Report } from '../parts/report.mjs';
import { openPupilPage } from './parts/pupil-page.mjs';
import { realSets } from './parts/real-sets.mjs';
import { scaled } from './parts/scaled.mjs';
import { score } from './parts/score.mjs';

const METHODS = ['robust', 'starburst', 'threshold', 'hough'];
const SCALES = [0.33, 0.5, 0.75, 1, 1.5, 2, 3, 4];
/** Of the best scale's share, wanted at every scale. */
const WANTED = 0.95;

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
    return report.finish('docs/accuracy-tables.md', 'scales pupil', 'scales pupil');
  }
  const { call } = await openPupilPage(given);
  report.line(
    `Percent of the frames with a pupil (${every > 1 ? `each ${every}th, ` : ''}by itself, defaults) whose center is found within 5 px of the set's own size; ` +
      'in brackets milliseconds, one thread. Sizes by the browser’s best filter. Wanted: at every size at least 0.95 of the best one.',
  );
  let [least, reached, all] = [Infinity, 0, 0];
  for (const set of sets) {
    await call(
      'loadImages',
      'own',
      set.images.map((file) => `/shared/data/pupil/${file}`),
    );
    const cells = methods.map(() => []);
    const wrong = methods.map(() => []);
    for (const scale of factors) {
      await call('rescale', 'scaled', 'own', scale);
      const truth = set.truth.map((one) => scaled(one, scale));
      for (const [m, method] of methods.entries()) {
        const rows = await call('detect', 'scaled', { method, ...params }, {});
        const { errors, ms } = score(rows, truth, 'ellipse');
        const share = (100 * errors.filter(({ center }) => center <= 5 * scale).length) / errors.length;
        cells[m].push({ share, ms });
        wrong[m].push(errors.filter(({ row, center }) => row[0] && center > 5 * scale).length);
      }
    }
    report.heading(set.title);
    report.table([
      ['', ...factors.map((scale) => `x${scale}`), 'least of best'],
      ...methods.map((method, m) => {
        const best = Math.max(...cells[m].map(({ share }) => share));
        const worst = Math.min(...cells[m].map(({ share }) => share)) / best;
        least = Math.min(least, worst);
        reached += cells[m].filter(({ share }) => share >= WANTED * best).length;
        all += cells[m].length;
        return [method, ...cells[m].map(({ share, ms }) => `${fixed(share)} (${fixed(ms, 1)})`), fixed(worst, 2)];
      }),
    ]);
  }
  report.line(`The least is ${fixed(least, 2)} of the best size's share.`);
  report.line(atLeast(`of ${all} figures that are ${WANTED} of the best size's share and more`, reached, all, 0));
  return report.finish('docs/accuracy-tables.md', 'scales pupil', 'scales pupil');
}
