// Pupil: how far the levels of dark and flat pictures are spread, chosen on rendered eyes with little light, held out by subject.
//   --part N: each count an N-th; --write
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { ofCounts, range, widest } from '../parts/intervals.mjs';
import { fixed, Report } from '../parts/report.mjs';

const METHODS = ['robust', 'starburst', 'threshold', 'hough'];
const FOLDS = 5;

/** Name, frames, generator, from, step, seed. */
const CHOSEN_ON = [
  ['hard set', 20, 'hardFrame', 0, 1, 7101],
  ['wide set', 32, 'wideFrame', 0, 3, 7102],
  ['varied set', 20, 'variedFrame', 0, 1, 7103],
  ['varied set, eyeless', 16, 'variedFrame', 9, 10, 7104],
  ['hard set, eyeless', 8, 'hardFrame', 9, 10, 7105],
  ['blinks', 8, 'variedFrame', 4, 10, 7106],
  ['dark shapes', 12, 'shapesFrame', 0, 1, 7107],
];
const FRESH = CHOSEN_ON.map(([name, count, ...rest]) => [
  name,
  Math.ceil(count / 2),
  ...rest.slice(0, -1),
  8000 + rest.at(-1),
]);
/** So many times less light, and the noise after it, gray levels. */
const LIGHT = [
  [1, 0],
  [2, 1.5],
  [4, 0.7],
  [4, 2],
  [8, 1.5],
];
const USED = { range: 90, middle: 64, base: 24, most: 8 };
const NEVER = { ...USED, range: 0, middle: 0 };
const EXPOSURES = [
  NEVER,
  USED,
  ...[75, 100, 120, 140].map((range) => ({ ...USED, range })),
  ...[0, 75, 90].map((middle) => ({ ...USED, middle })),
  ...[8, 40].map((base) => ({ ...USED, base })),
  { ...USED, most: 4 },
];
const nameOf = (one) =>
  one === NEVER
    ? 'never spread'
    : Object.keys(USED)
        .filter((key) => one === USED || one[key] !== USED[key])
        .map((key) => `${key} ${one[key]}`)
        .join(', ');
/** A pupil that is not there costs as much as so many that are not found. */
const WORTH = 3;

/** The results: { times, sigma, group, methods: [method][exposure] }. */
function read(list, eyes, darker, readers, part, log) {
  return list.flatMap(([name, count, generator, from, step, seed]) => {
    const frames = [];
    for (let i = 0; i < count / part; i++) {
      const eye = eyes[generator](from + i * step, seed);
      if (eye.truth.partial) continue;
      for (const [k, [times, sigma]] of LIGHT.entries()) {
        const frame = times === 1 ? eye : darker(eye, times, sigma, seed + 100 * i + k);
        const methods = readers.map((reader) => reader.read(frame, eye.meta.polarity));
        const person = `${name} ${eye.meta.subject ?? i}`;
        frames.push({ k, person, group: (eye.meta.subject ?? i) % FOLDS, methods });
      }
    }
    log(`read: ${name}, seed ${seed}`);
    return frames;
  });
}

/** Right of the pupils and false where there is none, of each method. */
function tally(frames, exposureOf) {
  return METHODS.map((_, m) => {
    const sum = { eyes: 0, right: 0, without: 0, found: 0 };
    for (const frame of frames) {
      const { present, found, right } = frame.methods[m][exposureOf(frame)];
      sum[present ? 'eyes' : 'without']++;
      sum.right += Number(right);
      if (!present) sum.found += Number(found);
    }
    return sum;
  });
}

function choose(frames) {
  const worth = EXPOSURES.map((_, k) =>
    tally(frames, () => k).reduce(
      (sum, { eyes, right, without, found }) => sum + right / eyes - (WORTH * found) / without,
      0,
    ),
  );
  return worth.indexOf(Math.max(...worth));
}

const cellsOf = (frames, exposureOf) => {
  const all = tally(frames, exposureOf);
  return [
    ...all.map(({ right, eyes }) => fixed((100 * right) / eyes)),
    ...all.map(({ found, without }) => fixed((100 * (without - found)) / without)),
  ];
};

/** Under a row of cellsOf: its intervals, a bootstrap over the rendered people, all of whose frames are drawn together. */
function rangesOf(frames, exposureOf) {
  const people = [...new Set(frames.map(({ person }) => person))].map((person) =>
    tally(
      frames.filter((frame) => frame.person === person),
      exposureOf,
    ),
  );
  return [
    ...METHODS.map((_, m) => people.map((all) => [all[m].right, all[m].eyes])),
    ...METHODS.map((_, m) => people.map((all) => [all[m].without - all[m].found, all[m].without])),
  ].map((groups) => range(ofCounts(groups)));
}

export default async function levels(given) {
  const { args, root, importTs, log } = given;
  const part = Number(args[args.indexOf('--part') + 1]) || 1;
  const report = new Report(given);
  const eyes = await importTs('tools/eyes/index.ts');
  const { darker, EXPOSURE, ExposureReader, openRuntime } = await importTs('bench/pupil/parts/exposures.ts');
  const runtime = await openRuntime(readFileSync(path.join(root, 'dist/kernels.wasm')));
  const readers = METHODS.map((method) => new ExposureReader(runtime, method, EXPOSURES));
  const frames = read(CHOSEN_ON, eyes, darker, readers, part, log);
  for (const reader of readers) reader.dispose();
  const two = METHODS.map((method) => new ExposureReader(runtime, method, EXPOSURES.slice(0, 2)));
  const fresh = read(FRESH, eyes, darker, two, part, log);
  for (const reader of two) reader.dispose();
  const head = [...METHODS, ...METHODS.map((method) => `silent, ${method}`)];
  report.line(
    'Rendered eyes and frames without one, as they are and with a half, a quarter and an eighth of the light, sensor noise added after ' +
      'that; every frame by itself. Percent of the pupils with center and seven tenths of the radius within 2 px or 12 % of the radius, and ' +
      `of the frames without a pupil those that stay silent. Chosen: the most pupils, where a false one costs as much as ${WORTH} that are not ` +
      'found, in shares, all methods and all light together; held out: for each fifth of the rendered people by the others. The second row is what is ' +
      'used, the others differ from it in one value. 95 %: bootstrap over the rendered people and pictures, all light of one drawn together.',
  );
  const folds = Array.from({ length: FOLDS }, (_, fold) => choose(frames.filter(({ group }) => group !== fold)));
  report.line(
    `Chosen on all: ${nameOf(EXPOSURES[choose(frames)])}; by the other four fifths: ${folds.map((k) => nameOf(EXPOSURES[k])).join('; ')}; ` +
      `in use: ${Object.entries(EXPOSURE)
        .map((entry) => entry.join(' '))
        .join(', ')}.`,
  );
  report.table([
    ['levels', ...head],
    ...EXPOSURES.flatMap((one, k) => [
      [nameOf(one), ...cellsOf(frames, () => k)],
      ...(one === USED ? [['95 %', ...rangesOf(frames, () => k)]] : []),
    ]),
    ['held out', ...cellsOf(frames, ({ group }) => folds[group])],
    ['held out, 95 %', ...rangesOf(frames, ({ group }) => folds[group])],
  ]);
  report.heading('Fresh seeds, by light');
  report.table([
    ['light, noise', 'levels', ...head],
    ...LIGHT.flatMap(([times, sigma], n) =>
      [0, 1].map((k) => [
        `1/${times}, ${sigma}`,
        nameOf(EXPOSURES[k]),
        ...cellsOf(
          fresh.filter((frame) => frame.k === n),
          () => k,
        ),
      ]),
    ),
  ]);
  const counts = LIGHT.flatMap((_, n) => {
    const own = fresh.filter((frame) => frame.k === n);
    return [0, 1].flatMap((k) =>
      tally(own, () => k).flatMap(({ right, eyes, found, without }) => [
        [right, eyes],
        [without - found, without],
      ]),
    );
  });
  report.line(widest(counts));
  report.finish('docs/accuracy-tables.md', 'levels pupil', part === 1 ? 'levels pupil' : `levels pupil --part ${part}`);
}
