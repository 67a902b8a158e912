// Pupil: when a lost pupil is not looked for at finer sizes (BELIEF.absent), chosen on rendered sequences, held out by sequence.
//   --sequences 12; --write
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { widest } from '../parts/intervals.mjs';
import { fixed, Report } from '../parts/report.mjs';

const METHODS = ['robust', 'starburst', 'threshold', 'hough'];
/** Confidences; the first is never reached from above. */
const ABSENT = [0, 0.01, 0.05, 0.2, 0.5];
/** Of what can be saved. */
const ENOUGH = 0.9;
const [CHOSEN_ON, FRESH] = [4101, 4102];

/** What each method makes of each frame: { sequence, present, partial, of: [method][absent] }. */
function read(frames, readers) {
  return [...frames].map((frame) => ({
    sequence: frame.meta.sequence,
    present: frame.truth.present,
    partial: !!frame.truth.partial,
    of: readers.map((list) => list.map((reader) => reader.read(frame))),
  }));
}

/** Searches in the frames in which nothing is found, all methods together. */
const searchesWith = (frames, k) =>
  frames.reduce((sum, { of }) => sum + of.reduce((s, list) => s + (list[k].found ? 0 : list[k].searches), 0), 0);

/** The least confidence that saves as many of the searches as any of them does, but a tenth. */
function choose(frames) {
  const all = ABSENT.map((_, k) => searchesWith(frames, k));
  const most = all[0] - Math.min(...all);
  return all.findIndex((searches) => all[0] - searches >= ENOUGH * most);
}

/** The rows, and what they count: [hits, n] of the eyes, and of the frames without one. */
function rowsOf(frames) {
  const counts = [];
  const rows = METHODS.flatMap((method, m) =>
    ABSENT.map((absent, k) => {
      const eyes = frames.filter(({ present, partial }) => present && !partial);
      const without = frames.filter(({ present }) => !present);
      const right = eyes.filter(({ of }) => of[m][k].right).length;
      const silent = without.filter(({ of }) => !of[m][k].found).length;
      counts.push({ right: [right, eyes.length], silent: [silent, without.length] });
      const lost = frames.filter(({ of }) => !of[m][k].found);
      const searches = lost.reduce((sum, { of }) => sum + of[m][k].searches, 0);
      return [
        absent || 'never',
        method,
        `${right} of ${eyes.length}`,
        `${silent} of ${without.length}`,
        lost.length,
        fixed(searches / lost.length, 2),
      ];
    }),
  );
  return { rows, counts };
}

export default async function lost(given) {
  const { args, root, importTs } = given;
  const count = Number(args[args.indexOf('--sequences') + 1]) || 12;
  const report = new Report(given);
  const { hardSequences } = await importTs('tools/eyes/index.ts');
  const { BELIEF, LostReader, openRuntime } = await importTs('bench/pupil/parts/lost.ts');
  const runtime = await openRuntime(readFileSync(path.join(root, 'dist/kernels.wasm')));
  const readers = METHODS.map((method) => ABSENT.map((absent) => new LostReader(runtime, method, absent)));
  const [frames, fresh] = [CHOSEN_ON, FRESH].map((seed) => read(hardSequences({ count, seed }), readers));
  report.line(
    `${count} rendered recordings of 60 frames with a blink or a gap, tracked. A pupil that is lost is not looked for at finer sizes where the ` +
      'reduced picture that had shown it gives less than this confidence, but in every eighth frame. Right: center within 5 px; searches: calls of ' +
      'the method in a frame in which nothing is found, of whatever size. Chosen: the least confidence that saves nine tenths of the searches ' +
      'that the greatest saves, over all four methods.',
  );
  const without = Array.from({ length: count }, (_, i) => choose(frames.filter(({ sequence }) => sequence !== i)));
  report.line(
    `Chosen on all: ${ABSENT[choose(frames)]}; without one of the recordings: ${[...new Set(without)].map((k) => ABSENT[k]).join(' or ')}; in use: ${BELIEF.absent}.`,
  );
  const head = ['below', 'method', 'right', 'silent', 'lost frames', 'searches in each'];
  for (const [words, list] of [
    [`Seed ${CHOSEN_ON}`, frames],
    [`Seed ${FRESH}, in no choice`, fresh],
  ]) {
    const { rows, counts } = rowsOf(list);
    report.heading(words);
    report.table([head, ...rows]);
    for (const key of ['right', 'silent'])
      report.line(
        `Of ${key}: ${widest(counts.map((one) => one[key]))} Frames of ${count} recordings, taken as independent.`,
      );
  }
  for (const reader of readers.flat()) reader.dispose();
  return report.finish('docs/accuracy-tables.md', 'lost pupil', 'lost pupil');
}
