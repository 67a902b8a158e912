// Pupil: when a pupil that was found in a reduced frame is believed, chosen on rendered eyes, whole frames and close-ups.
//   --frames 100; --write
import { ofGroups, range } from '../parts/intervals.mjs';
import { fixed, Report } from '../parts/report.mjs';
import { mean, meansAt } from '../parts/numbers.mjs';
import { openPupilPage } from './parts/pupil-page.mjs';
import { scaled } from './parts/scaled.mjs';
import { score } from './parts/score.mjs';

const METHODS = ['robust', 'starburst', 'threshold', 'hough'];
/** Another seed than those that other constants were chosen with. */
const SEED = 20263;
/** Whole frames of 640x480, and what is around the pupil, so many radii to each side. */
const VIEWS = [
  { name: 'whole', scales: [0.5, 1, 2, 3] },
  { name: 'close', radii: 5, scales: [0.5, 1, 2, 3] },
];
/** A radius that is wrong by more is that of an iris, or of a part of the pupil. */
const LARGER = 0.3;
/** As src/pupil/tracker/coarse-search.ts has it. */
const USED = {
  diagonal: 120,
  diameter: 16,
  confidence: 0.9,
  sure: 0.9,
  apart: 0.25,
  alone: 0.98,
  soft: 3,
  again: 0.99,
  seen: 0.3,
  absent: 0.05,
};
const never = { ...USED, diagonal: 1e6 };
const OTHERS = {
  diagonal: [100, 150, 200],
  diameter: [12, 24],
  confidence: [0.65, 0.95],
  sure: [0.8, 0.98],
  apart: [0, 0.6],
  alone: [0.95, 0.995, 2],
  soft: [2.6, 3.4, 5],
  again: [0.9, 0.95, 0.97, 2],
  seen: [0, 0.1, 2],
};
const BELIEFS = [
  never,
  USED,
  ...Object.entries(OTHERS).flatMap(([name, list]) => list.map((value) => ({ ...USED, [name]: value }))),
];
const nameOf = (belief) =>
  belief === never
    ? 'never believed'
    : Object.keys(OTHERS)
        .filter((name) => belief === USED || belief[name] !== USED[name])
        .map((name) => `${name} ${belief[name]}`)
        .join(', ');

export default async function coarse(given) {
  const { args } = given;
  const report = new Report(given);
  const frames = Number(args[args.indexOf('--frames') + 1]) || 100;
  const { call } = await openPupilPage(given);
  const made = await call('renderHard', 'whole', 0, frames, SEED);
  const truths = { whole: made.map(({ truth }) => truth) };
  truths.close = await call('closeUps', 'close', 'whole', truths.whole, VIEWS[1].radii);
  const cells = BELIEFS.map(() => []);
  const [hits, silence] = [BELIEFS.map(() => []), BELIEFS.map(() => [])];
  for (const { name, scales } of VIEWS)
    for (const scale of scales) {
      await call('rescale', 'scaled', name, scale);
      const truth = truths[name].map(({ present, circle }) => scaled({ present, ...circle }, scale));
      for (const [b, belief] of BELIEFS.entries()) {
        const shares = [];
        for (const method of METHODS) {
          const found = await call('detect', 'scaled', { method }, { belief });
          const { errors } = score(found, truth, 'ellipse');
          const right = (e) => e.center <= 5 * scale && Math.abs(e.radius) <= LARGER * e.truth.r;
          hits[b].push(errors.map((e) => (right(e) ? 100 : 0)));
          shares.push(mean(hits[b].at(-1)));
          if (name === 'whole')
            silence[b].push(found.flatMap((row, i) => (truth[i].present ? [] : [row[0] ? 0 : 100])));
        }
        cells[b].push(shares);
      }
    }
  report.line(
    `${frames} rendered hard frames of 640x480, seed ${SEED}, whole and cut out ${VIEWS[1].radii} radii around the pupil, every frame by ` +
      'itself. Percent of the pupils whose center is within 5 px of the set’s own size and whose radius is within 30 %, mean of the ' +
      'four methods. The second row is what is used, the others differ from it in one value. 95 %: bootstrap over the rendered people, each ' +
      'of whom is one frame.',
  );
  report.table([
    [
      'belief',
      ...VIEWS.flatMap(({ name, scales }) => scales.map((s) => `${name} x${s}`)),
      'mean',
      '95 %',
      ...METHODS,
      'silent without a pupil',
      '95 %',
    ],
    ...BELIEFS.map((belief, b) => [
      nameOf(belief),
      ...cells[b].map((shares) => fixed(mean(shares))),
      fixed(mean(cells[b].flat())),
      range(ofGroups(meansAt(hits[b]))),
      ...METHODS.map((_, m) => fixed(mean(cells[b].map((shares) => shares[m])))),
      fixed(mean(silence[b].flat())),
      range(ofGroups(meansAt(silence[b]))),
    ]),
  ]);
  return report.finish('docs/accuracy-tables.md', 'coarse pupil', 'coarse pupil');
}
