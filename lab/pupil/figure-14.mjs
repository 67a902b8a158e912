// Pupil: why the order of figure 14a of paper 000 differs here. The three methods as published, on the rendered set as it
// is and with one property changed at a time.
//   --every N: every Nth image (8)
import { rangeOfPercent } from '../../bench/parts/intervals.mjs';
import { fixed, Report } from '../../bench/parts/report.mjs';
import { openPupilPage } from '../../bench/pupil/parts/pupil-page.mjs';
import { errorOf } from '../../bench/pupil/parts/score.mjs';
import { configurationsOf } from './paper.mjs';

const METHODS = { Hough: '3.6 degrees', Starburst: 'reflections 19, Gaussian (5, 2)', labeling: 'step 20' };
const SETS = {
  'as it is': {},
  'all pupils round': { frontal: true },
  'skin without texture': { skin: 0 },
  'round, and skin without texture': { frontal: true, skin: 0 },
  'a quarter of the border hidden': { hidden: 0.25 },
  'round, and a quarter hidden': { frontal: true, hidden: 0.25 },
};
const BATCH = 16;

export default async function figure14(given) {
  const at = given.args.indexOf('--every');
  const step = at >= 0 ? Number(given.args[at + 1]) : 8;
  const { PAPER } = await given.importTs('lab/eyes/index.ts');
  const { pupilPresets } = await given.importTs('src/pupil/parameters.ts');
  const all = configurationsOf(pupilPresets);
  const chosen = Object.values(METHODS).map((name) =>
    all.find((one) => one.variant === 'paper' && one.fit === 'circle' && one.name === name),
  );
  const { call } = await openPupilPage(given);
  const total = Math.ceil(PAPER.images / step);
  const rows = [];
  for (const [name, change] of Object.entries(SETS)) {
    const right = chosen.map(() => 0);
    for (let done = 0; done < total; done += BATCH) {
      const params = chosen.map(({ params }) => params);
      const images = await call('paper', done * step, Math.min(BATCH, total - done), step, params, change);
      for (const { rows, truth } of images)
        chosen.forEach(({ fit }, k) => {
          const circle = { x: truth.ellipse.x, y: truth.ellipse.y, r: truth.circle.r };
          if (errorOf(rows[k], circle, fit).relative <= 0.1) right[k]++;
        });
    }
    given.log(`${name}: ${right.join(', ')} of ${total}`);
    rows.push([name, ...right.map((n) => `${fixed((100 * n) / total)} (${rangeOfPercent((100 * n) / total, total)})`)]);
  }
  const report = new Report(given);
  report.heading('Under 10 %, percent, by what the images show');
  report.table([['set', ...Object.keys(METHODS)], ...rows, ['paper, its own photographs', '96.4', '96.2', '78.5']]);
  report.line(`${total} images each, variant paper, circle fit. Only the named property differs between the sets.`);
  report.finish('lab/results/accuracy.md', 'figure-14 pupil', 'figure-14 pupil');
}
