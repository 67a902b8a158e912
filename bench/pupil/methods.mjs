// Pupil: every method on every set, circle and ellipse, silence on 500 images without a pupil, ROC of the confidence.
//   --quick: every fourth frame; --frames: every frame on which 'robust' is wrong
import { ofGroups, range, widest, wilson } from '../parts/intervals.mjs';
import { mean } from '../parts/numbers.mjs';
import { fixed, Report } from '../parts/report.mjs';
import { leaveOneOut } from './parts/cuts.mjs';
import { areaUnderCurve } from './parts/logistic.mjs';
import { peerTables } from './parts/peers.mjs';
import { PUPIL_LESS, pupilLess } from './parts/pupil-less.mjs';
import { openPupilPage } from './parts/pupil-page.mjs';
import { realSets } from './parts/real-sets.mjs';
import { reason, score, SCORE_HEAD, scoreCells } from './parts/score.mjs';

const METHODS = ['robust', 'starburst', 'threshold', 'hough'];
const FITS = ['ellipse', 'circle'];

/** The best single program within 5 px, and its share; detectors that are given the size do not count. */
function bestPeer(peers, heading) {
  const rows = [...peers].find(([name]) => name.startsWith(heading))?.[1] ?? [];
  return rows.filter(({ detector }) => !detector.includes('told')).sort((a, b) => b.cells[3] - a.cells[3])[0] ?? null;
}

/** Share within 5 px of each set, of each program that was run on all of them, the best mean first. */
function peerMeans(peers, headings) {
  const shares = new Map();
  for (const heading of headings)
    for (const { detector, cells } of [...peers].find(([name]) => name.startsWith(heading))?.[1] ?? [])
      shares.set(detector, [...(shares.get(detector) ?? []), cells[3]]);
  return [...shares]
    .filter(([detector, list]) => list.length === headings.length && !detector.includes('told'))
    .sort((a, b) => mean(b[1]) - mean(a[1]));
}

/** Rows of the annotated frames of a set that is loaded. */
async function rowsOf(call, set, params, options = {}) {
  const all = await call('detect', set.images ? 'images' : 'video', params, options);
  return set.images ? all : set.video.frames.map((frame) => all[frame]);
}

async function load(call, set) {
  const url = (file) => `/shared/data/pupil/${file}`;
  if (set.images) await call('loadImages', 'images', set.images.map(url));
  else await call('loadVideo', 'video', url(set.video.address), Math.max(...set.video.frames) + 1);
}

export default async function methods(given) {
  const { shared, args, log } = given;
  const quick = args.includes('--quick');
  const report = new Report(given);
  const sets = realSets(shared, quick ? 4 : 1);
  const without = pupilLess(shared, quick ? 4 : 1);
  if (!sets || !without) {
    report.line('Skipped: there is no ../shared/data (FOVEOLA_SHARED names another folder).');
    return report.finish('lab/results/accuracy.md', 'methods pupil', 'methods pupil');
  }
  const { call } = await openPupilPage(given);
  const peers = peerTables(shared);
  const pool = Object.fromEntries(METHODS.map((method) => [method, []]));
  const means = new Map();
  report.line(
    'Percent, every frame by itself, one set of defaults; a frame on which nothing is found counts as a miss. 95 %: Wilson’s ' +
      'interval, frames taken as independent. Silent: of the frames without a pupil. ms: wall clock, one thread, one pass.',
  );
  for (const set of sets) {
    report.heading(set.title);
    await load(call, set);
    const rows = [SCORE_HEAD];
    let robust;
    for (const method of METHODS) {
      for (const fit of FITS) {
        const result = score(await rowsOf(call, set, { method, fit }), set.truth, fit);
        rows.push([`${method}, ${fit}`, ...scoreCells(result)]);
        if (fit === 'ellipse') means.set(method, [...(means.get(method) ?? []), result.within[3]]);
        if (method === 'robust' && fit === 'ellipse') robust = result;
      }
      for (const [i, row] of (await rowsOf(call, set, { method, minConfidence: 0 })).entries()) {
        const truth = set.truth[i];
        const near = truth.present && row[0] && Math.hypot(row[2] - truth.x, row[3] - truth.y) <= 5;
        const subject = `${set.name} ${set.subjects?.[i] ?? ''}`;
        pool[method].push({ set: set.name, subject, confidence: row[1], near: Boolean(near), present: truth.present });
      }
      log(`${set.name}: ${method}`);
    }
    report.table(rows);
    const peer = bestPeer(peers, set.heading);
    if (peer) {
      const n = robust.errors.length;
      const [own, other] = [robust.within[3], peer.cells[3]].map((share) => Math.round((share * n) / 100));
      report.line(
        `Best single program within 5 px: ${peer.detector}, ${fixed(peer.cells[3])} % (${other} of ${n}); robust ${own} of ${n}: ` +
          `${own >= other - 1 ? 'not more than one frame below, as wanted' : 'MORE than one frame below'}.`,
      );
    }
    if (args.includes('--frames'))
      report.list(
        robust.errors
          .map((error) => [error.i, reason(error)])
          .flatMap(([i, words]) => (words ? [`${i}: ${words}`] : [])),
      );
  }

  report.heading('Mean over the sets, within 5 px');
  const others = peerMeans(
    peers,
    sets.map(({ heading }) => heading),
  );
  report.table([
    ['', '%', '95 %'],
    ...[
      ...METHODS.map((method) => [`${method}, ellipse`, means.get(method)]),
      ...others.slice(0, 4).map(([detector, list]) => [`peer: ${detector}`, list]),
    ].map(([name, list]) => [name, fixed(mean(list)), range(ofGroups(list))]),
  ]);
  report.line(`95 %: bootstrap over the ${sets.length} sets, so few that it is rough.`);

  report.heading(`${without.length} images without a pupil`);
  report.line(
    `${Object.entries(PUPIL_LESS)
      .map(([kind, n]) => `${n} ${kind}`)
      .join(
        ', ',
      )}; drawn with a fixed seed (bench/pupil/parts/pupil-less.mjs). Percent of them on which nothing is reported.`,
  );
  await call('loadPupilLess', 'without', without, '/shared/data/');
  const kinds = Object.keys(PUPIL_LESS);
  const silence = [['', 'all', '95 %', ...kinds]];
  const kindCounts = [];
  for (const method of METHODS) {
    const rows = await call('detect', 'without', { method }, {});
    const quiet = rows.map((row) => !row[0]);
    silence.push([
      method,
      fixed((100 * quiet.filter(Boolean).length) / quiet.length),
      range(wilson(quiet.filter(Boolean).length, quiet.length)),
      ...kinds.map((kind) => {
        const own = quiet.filter((_, i) => without[i].kind === kind);
        kindCounts.push([own.filter(Boolean).length, own.length]);
        return fixed((100 * own.filter(Boolean).length) / own.length);
      }),
    ]);
    const all = await call('detect', 'without', { method, minConfidence: 0 }, {});
    for (const [i, row] of all.entries())
      pool[method].push({
        set: 'without',
        subject: `without ${i % 20}`,
        confidence: row[1],
        near: false,
        present: false,
      });
    if (method === 'robust' && args.includes('--frames'))
      report.list(
        rows.flatMap((row, i) => (row[0] ? [`${without[i].file ?? without[i].kind}: ${row[1].toFixed(2)}`] : [])),
      );
  }
  report.table(silence);
  report.line(`Of the kinds: ${widest(kindCounts)}`);

  report.heading('Confidence against "found within 5 px", all sets and the images without a pupil');
  const curve = (cases) =>
    areaUnderCurve(
      cases.map(({ confidence }) => confidence),
      cases.map(({ near }) => near),
    );
  report.table([
    ['', 'cases', 'wrong', 'ROC area'],
    ...METHODS.map((method) => [
      method,
      pool[method].length,
      pool[method].filter(({ near }) => !near).length,
      fixed(curve(pool[method]), 4),
    ]),
    ['all four', ...summary(METHODS.flatMap((method) => pool[method]))],
  ]);
  function summary(cases) {
    return [cases.length, cases.filter(({ near }) => !near).length, fixed(curve(cases), 4)];
  }

  report.heading('minConfidence chosen without the subject it is used on');
  const { cuts, sets: held } = leaveOneOut(pool.robust);
  report.line(
    'robust: for each subject (of mrgaze and meye-human; each clip is one; the images without a pupil in twenty parts) the cut ' +
      'that is best on the mean of all others. It would have been ' +
      `${fixed(Math.min(...cuts), 2)} to ${fixed(Math.max(...cuts), 2)}; right with it, percent:`,
  );
  report.table([
    ['', 'right', '95 %', 'of'],
    ...[...held].map(([name, [right, n]]) => [name, fixed((100 * right) / n), range(wilson(right, n)), n]),
  ]);
  report.finish('lab/results/accuracy.md', 'methods pupil', 'methods pupil');
}
