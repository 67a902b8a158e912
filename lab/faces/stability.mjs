// Faces: jitter of landmarks on a head at rest, lag and error on one that moves, with the filter and without. --tune: settings of it
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { atLeast, atMost, fixed, Report } from '../parts/report.mjs';
import { annotatedFaces, landmarkModel } from './parts/data.mjs';
import { mean } from '../parts/numbers.mjs';
import {
  FRAMES,
  jitter,
  NOISE,
  placedJitter,
  recorded,
  reducedPhoto,
  SETTLE,
  SPEED,
  stillPlaces,
  trackerParts,
  Trial,
} from './parts/steadiness.mjs';

const PHOTOGRAPHS = 8;

/** Settings of the filter that are tried. */
const CALMS = [2.8, 3, 3.2, 3.4, 3.6, 4];
const CUTOFFS = [0.15, 0.25, 0.36];
const BETAS = [0.02, 0.04];

/** What it costs to be off what is wanted: 3 in the picture, 1 about the place. */
const shortfall = ({ picture, place }) => Math.max(0, 3 / picture - 1) + Math.max(0, 1 / place - 1);
const loss = (list) => mean(list.map(shortfall)) + Math.max(...list.map(shortfall));

/** Every setting on every photograph; the best one, and for each photograph the best of the others. */
async function tune(report, library, photos, trials) {
  const { ShapeSmoother, smoothing } = library;
  const cases = [];
  for (const trial of trials)
    for (const [n, photo] of photos.entries()) {
      const raw = await trial.atRest(photo, false);
      const calls = raw && (await recorded(ShapeSmoother, () => trial.atRest(photo, true)));
      if (calls) cases.push({ n, raw, calls });
    }
  const tried = [];
  const before = { ...smoothing };
  for (const calm of CALMS)
    for (const minCutoff of CUTOFFS)
      for (const beta of BETAS) {
        Object.assign(smoothing, { calm, minCutoff, beta });
        const ratios = cases.map(({ n, raw, calls }) => {
          const smoother = new ShapeSmoother();
          const shapes = calls.map(([name, values]) => smoother[name](...values)).filter(Boolean);
          const shown = shapes.slice(SETTLE - FRAMES);
          const place = placedJitter(shown, stillPlaces().slice(SETTLE));
          return { n, picture: raw.picture / jitter(shown), place: raw.place / place };
        });
        tried.push({ name: `${calm}, ${minCutoff}, ${beta}`, ratios });
      }
  Object.assign(smoothing, before);
  const without = (ratios, n) => ratios.filter((one) => one.n !== n);
  const best = (n) => [...tried].sort((a, b) => loss(without(a.ratios, n)) - loss(without(b.ratios, n)))[0];
  const rowOf = (name, ratios) => [
    name,
    ...['picture', 'place'].flatMap((key) =>
      [mean, (list) => Math.min(...list)].map((of) => fixed(of(ratios.map((one) => one[key])), 2)),
    ),
  ];
  const held = photos.flatMap((_, n) => best(n).ratios.filter((one) => one.n === n));
  report.heading('Settings: calm, cutoff, beta');
  report.table([
    ['setting', 'times lower in the picture, mean', 'least', 'about its place, mean', 'least'],
    ...tried.map(({ name, ratios }) => rowOf(name, ratios)),
    rowOf(`best: ${best().name}`, best().ratios),
    rowOf('each photograph by the best of the others', held),
  ]);
}

export default async function (given) {
  const { args, root, shared, openBrowser, importTs, log } = given;
  const annotated = shared && (await annotatedFaces(shared, openBrowser));
  if (!annotated) return log('needs ../shared/data/faces');
  const report = new Report(given);
  const library = await importTs('bench/faces/parts/library.ts');
  const module = await WebAssembly.compile(readFileSync(path.join(root, 'dist/kernels.wasm')));
  const runtime = await library.Runtime.create({ module });
  const file = (name) => new Uint8Array(readFileSync(path.join(root, `models/${name}.bin`)));
  const dat = landmarkModel();
  const models = {
    'landmarks-68': library.readLandmarks(file('landmarks-68')),
    ...(dat && { "dlib's": library.readLandmarks(library.convertModel(dat, '8-bit')) }),
  };
  const others = trackerParts(library, file);
  const trials = Object.entries(models).map(([name, model]) => [
    name,
    new Trial(library, runtime, { ...others, model }),
  ]);
  const photos = annotated
    .filter(({ set }) => set === 'helen')
    .slice(0, PHOTOGRAPHS)
    .map((image) => reducedPhoto(library, runtime, image));
  report.line(
    `Photographs of helen with one large face, at 320 pixels; ${FRAMES} frames, the first ${SETTLE} not counted; noise of sigma ${NOISE}. At rest: moved by 0, 0.5 or 1 px at random in every frame; jitter is counted in the picture, where the head is held to be still and its shifts are jitter too, and about the place that it was moved to, where a filter that holds still is wrong by each shift. Moving: ${SPEED} px a frame to the side.`,
  );
  if (args.includes('--tune')) {
    await tune(report, library, photos, trials.map(([, trial]) => trial)); // prettier-ignore
    return runtime.dispose();
  }
  for (const [name, trial] of trials) {
    const rows = [
      [
        'photograph',
        'face px',
        'jitter px in the picture: regression',
        'filtered',
        'times lower',
        'about its place: regression',
        'filtered',
        'times lower',
        'lag frames',
        'NME moving',
        'filtered',
        'rise %',
      ],
    ];
    const all = [];
    for (const photo of photos) {
      const [alone, calm] = [await trial.atRest(photo, false), await trial.atRest(photo, true)];
      const moving = await trial.moving(photo, photo.points);
      if (!alone || !calm) {
        rows.push([photo.name, '-', 'not found in every frame']);
        continue;
      }
      const own = {
        ...{ picture: alone.picture / calm.picture, place: alone.place / calm.place },
        ...(moving && { lag: moving.behind / SPEED, rise: 100 * (moving.filtered / moving.alone - 1) }),
      };
      all.push(own);
      rows.push([
        ...[photo.name, photo.side],
        ...[fixed(alone.picture, 3), fixed(calm.picture, 3), fixed(own.picture, 1)],
        ...[fixed(alone.place, 3), fixed(calm.place, 3), fixed(own.place, 1)],
        ...(moving
          ? [fixed(own.lag, 2), fixed(moving.alone, 4), fixed(moving.filtered, 4), fixed(own.rise, 1)]
          : ['leaves the picture']),
      ]);
    }
    report.heading(name);
    report.table(rows);
    const least = (key) => Math.min(...all.map((one) => one[key]));
    const middle = (key) => fixed(mean(all.map((one) => one[key])), 2);
    const moved = all.filter(({ lag }) => lag !== undefined);
    const lag = Math.max(...moved.map((one) => Math.abs(one.lag)));
    report.line(
      `${all.length} photographs: jitter lower by ${middle('picture')} times in the picture and ${middle('place')} about its place, in the mean; ${moved.length} of them move.`,
    );
    report.list([
      atLeast('times less jitter in the picture, on each photograph', least('picture'), 3),
      atLeast('the same about its place', least('place'), 1),
      atMost('frames of lag', lag, 1),
      atMost('% more error of those that move', Math.max(...moved.map(({ rise }) => rise)), 5, 1),
    ]);
  }
  runtime.dispose();
  report.finish('docs/accuracy-tables.md', 'stability faces', 'stability faces');
}
