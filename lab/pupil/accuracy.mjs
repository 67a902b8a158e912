// Pupil: share of frames with the center within 1 to 10 px, size and center, silence; real recordings and the hard set.
//   --quick: every fourth frame, short sequences; --frames: every frame that fails, with the reason
import { rangeOfPercent } from '../../bench/parts/intervals.mjs';
import { fixed, Report } from '../../bench/parts/report.mjs';
import { hardAccuracy } from './parts/hard-accuracy.mjs';
import { peersOf, peerTables } from '../../bench/pupil/parts/peers.mjs';
import { openPupilPage } from '../../bench/pupil/parts/pupil-page.mjs';
import { realSets } from '../../bench/pupil/parts/real-sets.mjs';
import { kindOfReason, reason, score, SCORE_HEAD, scoreCells, valueCells } from '../../bench/pupil/parts/score.mjs';

export const RUNS = [
  { name: 'default, ellipse', params: { fit: 'ellipse' } },
  { name: 'default, circle', params: { fit: 'circle' } },
  { name: 'paper, ellipse', params: { variant: 'paper', fit: 'ellipse' } },
  { name: 'paper, circle', params: { variant: 'paper', fit: 'circle' } },
];
const WANTED = { mrgaze: 85, eyeloop: 85, 'meye-human': 85 };

const countOf = (kinds) =>
  Object.entries(kinds)
    .map(([kind, n]) => `${n} ${kind}`)
    .join('; ') || 'none';

function explain(report, set, scored, label, all) {
  const kinds = {};
  const lines = [];
  for (const error of scored.errors) {
    const words = reason(error);
    if (!words) continue;
    const kind = kindOfReason(words);
    kinds[kind] = (kinds[kind] ?? 0) + 1;
    lines.push(`${set.images?.[error.i] ?? `frame ${set.video.frames[error.i]}`}: ${words}`);
  }
  for (const { row, i } of scored.alarms)
    lines.push(
      `${set.images?.[i] ?? `frame ${set.video.frames[i]}`}: no pupil there, yet one reported (confidence ${row[1].toFixed(2)}, radius ${row[4].toFixed(1)} px)`,
    );
  report.line(
    `${label}: frames not within 5 px and 10 %: ${countOf(kinds)}. Reported without a pupil: ${scored.alarms.length}.`,
  );
  report.list(all ? lines : lines.slice(0, 12));
  if (!all && lines.length > 12) report.line(`and ${lines.length - 12} more (--frames lists them)`);
}

async function realAccuracy({ shared, args }, page, report, quick) {
  const sets = realSets(shared, quick ? 4 : 1);
  if (!sets)
    return report.line(
      'Real recordings: skipped, there is no ../shared/data/pupil (FOVEOLA_SHARED names another folder).',
    );
  const peers = peerTables(shared);
  report.line(
    'Percent of the frames with a pupil, except silent: percent of the frames without one on which nothing is reported. ' +
      'A frame on which nothing is found counts as a miss. Every frame by itself (reset before each), as the peers; ' +
      'rows "in sequence" track the whole video and score the annotated frames. size+center: the larger of the relative ' +
      "errors of center and radius, in true radii; radius: circle r against the truth's circle, mean semi-axis of the " +
      "ellipse against that of the truth's; center: always against the ellipse's. ms: mean over the frames of the " +
      'median of three passes, frame in memory, wall clock, one thread. Peers: peers.md, CPU time of native programs. 95 %: ' +
      'Wilson’s interval, frames taken as independent; the best of many programs has none.',
  );
  for (const set of sets) {
    report.heading(set.title);
    const url = (file) => `/shared/data/pupil/${file}`;
    let whole = [];
    if (set.video) {
      const last = quick ? Math.max(...set.video.frames) + 1 : 1e9;
      await page.call('loadVideo', 'video', url(set.video.address), last);
    }
    if (set.images) await page.call('loadImages', 'images', set.images.map(url));
    const rows = [SCORE_HEAD];
    const scores = [];
    await page.call('detect', set.images ? 'images' : 'video', RUNS[0].params, {}); // compiled and warm
    for (const run of RUNS) {
      const all = await page.call('detect', set.images ? 'images' : 'video', run.params, { passes: 3 });
      const own = set.images ? all : set.video.frames.map((frame) => all[frame]);
      const result = score(own, set.truth, run.params.fit);
      scores.push(result);
      rows.push([run.name, ...scoreCells(result)]);
    }
    if (set.video)
      for (const run of [RUNS[0], RUNS[2]]) {
        whole = await page.call('detect', 'video', run.params, { sequence: true, rate: set.video.rate, passes: 3 });
        const own = set.video.frames.map((frame) => whole[frame]);
        const result = score(own, set.truth, run.params.fit);
        if (run === RUNS[0]) scores.push(result);
        rows.push([`${run.name}, in sequence`, ...scoreCells(result)]);
      }
    for (const { detector, cells } of peersOf(peers, set.heading))
      rows.push([detector, ...valueCells(cells, detector.startsWith('peer') ? scores[0] : { n: 0, without: 0 })]);
    report.table(rows);
    const wanted = WANTED[set.name];
    const reached = scores[0].within[3];
    if (wanted)
      report.line(
        `Wanted: at least ${wanted} % within 5 px; measured ${fixed(reached)} % (95 %: ${rangeOfPercent(reached, scores[0].n)}): ${reached >= wanted ? 'reached' : 'NOT reached'}.`,
      );
    explain(report, set, scores[0], RUNS[0].name, args.includes('--frames'));
    if (set.video) explain(report, set, scores.at(-1), `${RUNS[0].name}, in sequence`, args.includes('--frames'));
  }
}

export default async function accuracy(given) {
  const quick = given.args.includes('--quick');
  const page = await openPupilPage(given);
  if (!given.args.includes('--hard')) {
    const real = new Report(given);
    await realAccuracy(given, page, real, quick);
    real.finish('lab/results/accuracy.md', 'accuracy pupil, real', 'accuracy pupil');
  }
  if (given.args.includes('--real')) return;
  const hard = new Report(given);
  await hardAccuracy(given, page, hard, quick, RUNS);
  hard.finish('lab/results/accuracy.md', 'accuracy pupil, hard', 'accuracy pupil');
}
