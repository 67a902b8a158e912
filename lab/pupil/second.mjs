// Pupil: the second opinion on the real recordings, each frame by itself, before and after, if `robust` is unsure.
import { share } from '../../bench/parts/intervals.mjs';
import { Report } from '../../bench/parts/report.mjs';
import { openPupilPage } from '../../bench/pupil/parts/pupil-page.mjs';
import { realSets } from '../../bench/pupil/parts/real-sets.mjs';

const SURE = 0.9;
/** Of the long videos, each so-many-th frame. */
const EVERY = 5;

export default async function second(given) {
  const report = new Report(given);
  const sets = realSets(given.shared);
  if (!sets) return report.line('Skipped, there is no ../shared/data/pupil.');
  const { call } = await openPupilPage(given);
  const rows = [['', 'eyes', 'unsure', 'within 5 px before, %', 'after, %', 'without a pupil', 'unsure', 'false before', 'after', 'sure frames changed']]; // prettier-ignore
  for (const set of sets) {
    const url = (file) => `/shared/data/pupil/${file}`;
    let { truth } = set;
    if (set.images) await call('loadImages', 'frames', set.images.map(url));
    else {
      await call('loadVideo', 'all', url(set.video.address), Math.max(...set.video.frames) + 1);
      const frames = set.video.frames.filter((_, i) => i % EVERY === 0);
      truth = truth.filter((_, i) => i % EVERY === 0);
      await call('pick', 'frames', 'all', frames);
    }
    const before = await call('detect', 'frames', {}, {});
    const after = await call('detect', 'frames', { secondOpinion: 'unsure' }, {});
    const all = truth.map((t, i) => ({ t, before: before[i], after: after[i], sure: before[i][1] >= SURE }));
    const changed = all.filter((one) => one.sure && one.before.slice(0, 5).some((v, k) => v !== one.after[k])).length;
    const near = (t, [found, , x, y]) => found && Math.hypot(x - t.x, y - t.y) <= 5;
    const eyes = all.filter(({ t }) => t.present);
    const none = all.filter(({ t }) => !t.present);
    const unsure = eyes.filter(({ sure }) => !sure);
    const of = (key) => share(unsure.filter((one) => near(one.t, one[key])).length, unsure.length);
    const unsureNone = none.filter(({ sure }) => !sure);
    const alarms = (key) => unsureNone.filter((one) => one[key][0]).length;
    rows.push([set.name, eyes.length, unsure.length, of('before'), of('after'), none.length, unsureNone.length, alarms('before'), alarms('after'), changed]); // prettier-ignore
    for (const one of [...unsure, ...unsureNone])
      given.log(`${set.name}: ${one.t.present ? `off by ${[one.before, one.after].map((r) => (r[0] ? Math.hypot(r[2] - one.t.x, r[3] - one.t.y).toFixed(1) : 'not found')).join(', then ')}` : `no pupil; ${one.before[0]}, then ${one.after[0]}`}; confidence ${one.before[1].toFixed(2)}, then ${one.after[1].toFixed(2)}`); // prettier-ignore
  }
  report.table(rows);
  report.finish('lab/results/accuracy.md', 'second pupil', 'second pupil');
}
