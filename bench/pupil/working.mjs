// Pupil: which diagonal frames are reduced to (workingDiagonal), chosen on rendered eyes at half to four times their size.
//   --frames 120; --write
import { ofGroups, range } from '../parts/intervals.mjs';
import { fixed, Report } from '../parts/report.mjs';
import { mean, meansAt, quantile } from '../parts/numbers.mjs';
import { openPupilPage } from './parts/pupil-page.mjs';
import { scaled } from './parts/scaled.mjs';
import { score } from './parts/score.mjs';

const METHODS = ['robust', 'starburst', 'threshold', 'hough'];
const SCALES = [0.5, 1, 1.5, 2, 3, 4];
const DIAGONALS = [450, 560, 640, 720, 800, 1000, 20000];
/** Another seed than those that other constants were chosen with. */
const SEED = 20261;

export default async function working(given) {
  const { args } = given;
  const report = new Report(given);
  const frames = Number(args[args.indexOf('--frames') + 1]) || 120;
  const { call } = await openPupilPage(given);
  const made = await call('renderHard', 'own', 0, frames, SEED);
  const rows = [
    [
      'workingDiagonal',
      ...SCALES.map((s) => `x${s}`),
      ...['mean', '95 %', 'least', 'center px at x1', 'at x2', 'ms at x2'],
    ],
  ];
  const cells = new Map(DIAGONALS.map((diagonal) => [diagonal, []]));
  for (const scale of SCALES) {
    await call('rescale', 'scaled', 'own', scale);
    const truth = made.map(({ truth: { present, circle } }) => scaled({ present, ...circle }, scale));
    for (const diagonal of DIAGONALS) {
      const results = [];
      for (const method of METHODS) {
        const { errors, ms } = score(
          await call('detect', 'scaled', { method, workingDiagonal: diagonal }, {}),
          truth,
          'ellipse',
        );
        const near = errors.filter(({ center }) => center <= 5 * scale);
        const center = quantile(
          near.map((error) => error.center),
          0.5,
        );
        results.push({ hits: hitsOf(errors, 5 * scale), share: (100 * near.length) / errors.length, ms, center });
      }
      cells.get(diagonal).push({
        hits: meansAt(results.map(({ hits }) => hits)),
        share: mean(results.map(({ share }) => share)),
        ms: mean(results.map(({ ms }) => ms)),
        center: results[0].center,
      });
    }
  }
  for (const [diagonal, list] of cells) {
    const shares = list.map(({ share }) => share);
    rows.push([
      diagonal === 20000 ? 'never reduced' : diagonal,
      ...[...shares, mean(shares)].map((share) => fixed(share)),
      range(ofGroups(meansAt(list.map(({ hits }) => hits)))),
      fixed(Math.min(...shares)),
      ...[list[SCALES.indexOf(1)].center, list[SCALES.indexOf(2)].center].map((center) => fixed(center, 3)),
      fixed(list[SCALES.indexOf(2)].ms),
    ]);
  }
  report.line(
    `${frames} rendered hard frames of 640x480, seed ${SEED}, every frame by itself. Percent of the pupils whose center is within 5 px of ` +
      'the set’s own size, mean of the four methods; median error of robust in pixels of the frame; milliseconds, one thread. 95 %: ' +
      'bootstrap over the rendered people, each of whom is one frame.',
  );
  report.table(rows);
  await small(given, report, call);
  return report.finish('docs/accuracy-tables.md', 'working pupil', 'working pupil');
}

/** 100 for each frame whose center is near enough, else 0. */
const hitsOf = (errors, limit) => errors.map(({ center }) => (center <= limit ? 100 : 0));
const SMALL = [0.125, 0.167, 0.2, 0.25, 0.333];
const LEAST = [0, 120, 160, 200, 250, 300, 400];

/** Below which diagonal frames are enlarged: the same frames at a third to an eighth of their size. */
async function small({ args }, report, call) {
  const frames = Number(args[args.indexOf('--small') + 1]) || 60;
  const made = await call('renderHard', 'few', 0, frames, SEED);
  const cells = new Map(LEAST.map((least) => [least, []]));
  for (const scale of SMALL) {
    await call('rescale', 'small', 'few', scale);
    const diagonal = Math.hypot(Math.round(640 * scale), Math.round(480 * scale));
    const done = new Map();
    for (const least of LEAST) {
      const factor = Math.max(1, Math.min(8, Math.ceil(least / diagonal)));
      if (!done.has(factor)) {
        await call('enlargeAll', 'large', 'small', factor);
        const truth = made.map(({ truth: { present, circle } }) => scaled({ present, ...circle }, scale * factor));
        const results = [];
        for (const method of METHODS) {
          // A working diagonal of the frame's own: it is searched as it is.
          const params = { method, workingDiagonal: Math.max(100, factor * diagonal) };
          const found = await call('detect', 'large', params, {});
          const { errors, ms } = score(found, truth, 'ellipse');
          const silent = found.flatMap((row, i) => (truth[i].present ? [] : [row[0] ? 0 : 100]));
          results.push({ hits: hitsOf(errors, 5 * scale * factor), silent, ms });
        }
        done.set(factor, {
          hits: meansAt(results.map(({ hits }) => hits)),
          silent: meansAt(results.map((one) => one.silent)),
          ms: mean(results.map(({ ms }) => ms)),
        });
      }
      cells.get(least).push({ ...done.get(factor), factor });
    }
  }
  report.line(
    `The same for small frames, ${frames} of them: a frame below the diagonal in the first column is enlarged by a whole number until ` +
      'it has it. In brackets how many times, and milliseconds.',
  );
  report.table([
    ['enlarged below', ...SMALL.map((scale) => `x${scale}`), 'mean', '95 %', 'least', 'silent without a pupil', '95 %'],
    ...LEAST.map((least) => {
      const list = cells.get(least);
      const [hits, silent] = ['hits', 'silent'].map((key) => meansAt(list.map((one) => one[key])));
      return [
        least || 'never',
        ...list.map(({ hits, factor, ms }) => `${fixed(mean(hits))} (${factor}, ${fixed(ms)})`),
        fixed(mean(hits)),
        range(ofGroups(hits)),
        fixed(Math.min(...list.map(({ hits }) => mean(hits)))),
        fixed(mean(silent)),
        range(ofGroups(silent)),
      ];
    }),
  ]);
}
