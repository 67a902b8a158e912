// Pupil: by how much an outline of rays, components or votes may lead its shape (LEAD), chosen on rendered eyes, held out by subject.
//   --part N: each count an N-th; --write
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { share } from '../parts/intervals.mjs';
import { Report } from '../parts/report.mjs';

const METHODS = ['starburst', 'threshold', 'hough'];
const FOLDS = 5;
/** Log-odds; the first is never reached. */
const LEADS = [1000, 5, 4, 3, 2, 1, 0];

/** Name, frames, generator, from, step, seed. */
const CHOSEN_ON = [
  ['wide set', 240, 'wideFrame', 0, 1, 6101],
  ['varied set', 120, 'variedFrame', 0, 1, 1012],
  ['varied set, eyeless', 40, 'variedFrame', 9, 10, 1013],
  ['hard set, eyeless', 20, 'hardFrame', 9, 10, 1015],
  ['dark shapes', 40, 'shapesFrame', 0, 1, 1014],
];
const FRESH = [
  ['wide set', 64, 'wideFrame', 0, 1, 6102],
  ['varied set', 40, 'variedFrame', 0, 1, 2011],
  ['hard set, eyeless', 20, 'hardFrame', 9, 10, 9111],
  ['dark shapes', 20, 'shapesFrame', 0, 1, 2014],
];

const nameOf = (lead) => (lead === LEADS[0] ? 'not asked' : `${lead}`);

/** What each method makes of each frame with each lead: [method][lead] = { present, found, right }. */
function read(list, eyes, readers, part, log) {
  return list.flatMap(([name, count, generator, from, step, seed]) => {
    const frames = [];
    for (let i = 0; i < count / part; i++) {
      const eye = eyes[generator](from + i * step, seed);
      if (eye.truth.partial) continue;
      const results = readers.map((leads) => leads.map((reader) => reader.read(eye, eye.meta.polarity)));
      frames.push({ set: `${name}, seed ${seed}`, group: (eye.meta.subject ?? i) % FOLDS, results });
    }
    log(`read: ${name}, seed ${seed}`);
    return frames;
  });
}

function tally(frames, m, leadOf) {
  const sum = { eyes: 0, right: 0, without: 0, silent: 0 };
  for (const frame of frames) {
    const { present, found, right } = frame.results[m][leadOf(frame)];
    if (present) {
      sum.eyes++;
      sum.right += Number(right);
    } else {
      sum.without++;
      sum.silent += Number(!found);
    }
  }
  return sum;
}

/** Frames that a smaller lead has to silence for each pupil that it loses. */
const WORTH = 3;

/** The lead from which no step down silences WORTH frames for each pupil that it loses, all methods together. */
function choose(frames) {
  const all = LEADS.map((_, k) => METHODS.map((_, m) => tally(frames, m, () => k)));
  const sum = (k, key) => all[k].reduce((total, one) => total + one[key], 0);
  let k = 0;
  while (
    k + 1 < LEADS.length &&
    sum(k + 1, 'silent') - sum(k, 'silent') >= WORTH * (sum(k, 'right') - sum(k + 1, 'right'))
  )
    k++;
  return k;
}

function rowsOf(label, frames, leadOf) {
  return METHODS.map((method, m) => {
    const { eyes, right, without, silent } = tally(frames, m, leadOf);
    return [label, method, share(right, eyes), share(silent, without)];
  });
}

export default async function silence(given) {
  const { args, root, importTs, log } = given;
  const part = Number(args[args.indexOf('--part') + 1]) || 1;
  const report = new Report(given);
  const eyes = await importTs('tools/eyes/index.ts');
  const { LEAD, LeadReader, openRuntime } = await importTs('bench/pupil/parts/leads.ts');
  const runtime = await openRuntime(readFileSync(path.join(root, 'dist/kernels.wasm')));
  const readers = METHODS.map((method) => LEADS.map((lead) => new LeadReader(runtime, method, lead)));
  const frames = read(CHOSEN_ON, eyes, readers, part, log);
  const fresh = read(FRESH, eyes, readers, part, log);
  report.line(
    'Percent, every frame by itself. Right: of the pupils, those found with center and seven tenths of the radius within 2 px or 12 % of ' +
      'the radius; silent: of the frames without a pupil. Wilson’s 95 % interval in brackets. Chosen, over all ' +
      `three methods: the lead from which no step down silences ${WORTH} frames for each pupil that it loses; held out: for each fifth of the ` +
      'rendered people by the others.',
  );
  const best = choose(frames);
  const folds = Array.from({ length: FOLDS }, (_, fold) => choose(frames.filter(({ group }) => group !== fold)));
  report.line(
    `Chosen on all: ${nameOf(LEADS[best])}; by the other four fifths: ${folds.map((k) => nameOf(LEADS[k])).join(', ')}; in use: ${LEAD}.`,
  );
  const head = ['lead, log-odds', 'method', 'right', 'silent'];
  report.table([
    head,
    ...LEADS.flatMap((lead, k) => rowsOf(nameOf(lead), frames, () => k)),
    ...rowsOf('held out', frames, ({ group }) => folds[group]),
  ]);
  report.heading('Fresh seeds, in no choice');
  const used = LEADS.indexOf(LEAD);
  const sets = [...new Set(fresh.map(({ set }) => set))];
  report.table([
    ['set', ...head],
    ...sets.flatMap((set) => {
      const own = fresh.filter((frame) => frame.set === set);
      return [0, used].flatMap((k) => rowsOf(nameOf(LEADS[k]), own, () => k).map((row) => [set, ...row]));
    }),
  ]);
  for (const reader of readers.flat()) reader.dispose();
  report.finish(
    'docs/accuracy-tables.md',
    'silence pupil',
    part === 1 ? 'silence pupil' : `silence pupil --part ${part}`,
  );
}
