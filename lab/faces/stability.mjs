// Faces: jitter of landmarks on a head at rest, lag and error on one that moves, with the filter and without.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { atLeast, atMost, fixed, Report } from '../../bench/parts/report.mjs';
import { annotatedFaces, landmarkModel } from '../../bench/faces/parts/data.mjs';
import { mean } from '../../bench/parts/numbers.mjs';
import { FRAMES, NOISE, reducedPhoto, SETTLE, SPEED, trackerParts, Trial } from './parts/steadiness.mjs';

const PHOTOGRAPHS = 8;

export default async function (given) {
  const { root, shared, openBrowser, importTs, log } = given;
  const annotated = shared && (await annotatedFaces(shared, openBrowser));
  if (!annotated) return log('needs ../shared/data/faces');
  const report = new Report(given);
  const library = await importTs('bench/faces/parts/library.ts');
  const module = await WebAssembly.compile(readFileSync(path.join(root, 'dist/kernels.wasm')));
  const runtime = await library.Runtime.create({ module });
  const file = (name) => new Uint8Array(readFileSync(path.join(root, `models/${name}.bin`)));
  const dat = landmarkModel();
  const models = {
    ...Object.fromEntries(
      ['landmarks-network', 'landmarks-68'].map((name) => [name, library.readLandmarks(file(name))]),
    ),
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
  report.finish('lab/results/accuracy.md', 'stability faces', 'stability faces');
}
