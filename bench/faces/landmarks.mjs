// Faces: errors of a landmark model on annotated photographs and rendered faces, by region, pose and skin tone.
//   --model FILE: a model (models/landmarks-68.bin)    --faces FOLDER: rendered faces that it has not learned from
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { imageOf, readFaces } from '../../lab/landmarks/dataset.mjs';
import { generator } from '../../tools/random.mjs';
import { boxOf, detectorError, jittered } from '../../lab/landmarks/shapes.mjs';
import { argument } from '../parts/kept-result.mjs';
import { mean, overlap } from '../parts/numbers.mjs';
import { fixed, Report } from '../parts/report.mjs';
import { detectAll } from './parts/boxes.mjs';
import { annotatedFaces, errors } from './parts/data.mjs';
import { fitter, inBox } from './parts/fits.mjs';
import { poseTables } from './parts/pose.mjs';

const REGIONS = {
  'all 68': [0, 68],
  'inner 51': [17, 68],
  jaw: [0, 17],
  brows: [17, 27],
  nose: [27, 36],
  eyes: [36, 48],
  mouth: [48, 68],
};
const regionsOf = (shape, points) =>
  Object.fromEntries(Object.entries(REGIONS).map(([name, part]) => [name, errors(shape, points, part).nme]));

/** Points lie well up to this error: what the confidence is about (lab/landmarks/confidence.mjs). */
const WELL = 0.1;
const BANDS = [0, 0.2, 0.5, 0.8, 0.95, 1];

/** Errors by region of each box, as the library fits it and in the mean of a single fit. */
function scoreOf({ fits }, image, boxes, model, points) {
  const found = fits(image, boxes, model);
  const once = mean(fits(image, boxes, model, false).map(({ shape }) => errors(shape, points).nme));
  return { found, once, fits: found.map(({ shape }) => regionsOf(shape, points)) };
}

/** What the confidence says of points and how many of them lie well; `told`: scored faces by their set. */
function reliability(report, told) {
  report.heading('Confidence');
  const rows = [['faces', 'confidence', 'fits', 'mean confidence', 'lie well', 'NME mean']];
  const lines = [];
  for (const [name, scored] of Object.entries(told)) {
    const all = scored.flatMap(({ found, fits }) =>
      found.map(({ confidence }, i) => ({ confidence, error: fits[i]['all 68'] })),
    );
    BANDS.slice(1).forEach((to, i) => {
      const own = all.filter(({ confidence: c }) => c >= BANDS[i] && (c < to || to === 1));
      if (!own.length) return;
      const well = own.filter(({ error }) => error <= WELL).length / own.length;
      const of = (key) => mean(own.map((fit) => fit[key]));
      rows.push([
        name,
        `${BANDS[i]} to ${to}`,
        own.length,
        fixed(of('confidence'), 2),
        fixed(well, 2),
        fixed(of('error'), 4),
      ]);
    });
    const [good, bad] = [true, false].map((well) => all.filter(({ error }) => error <= WELL === well));
    const pairs = bad.flatMap(({ confidence }) => good.map((other) => Number(confidence < other.confidence)));
    lines.push(`${name} ${bad.length ? fixed(mean(pairs), 2) : '–'}`);
  }
  report.table(rows);
  report.line(
    `Points lie well whose mean error is at most ${WELL}. A fit that does not has the lower confidence of two, one of each kind, in these shares: ${lines.join(', ')}.`,
  );
}

/** Draws of the jitter for every face. */
const DRAWS = 5;

/** Boxes as wrong as the detector's; `level`: each error equally likely up to its deviation, as the prototype's were. */
const spoiled = (points, random, level) => {
  const draw = level ? () => 2 * random() - 1 : undefined;
  return Array.from({ length: DRAWS }, () => jittered(boxOf(points), random, draw));
};

const HEAD = ['faces', 'boxes', 'n', 'NME mean', 'median', '90 %', 'inner 51', 'above 0.10', 'one fit', 'mean shape'];

/** One row; `scored`: { fits: errors by region of each draw, once: in the mean of a single fit, still: of the mean shape }. */
function rowOf(name, kind, scored) {
  const of = (region) => scored.map(({ fits }) => mean(fits.map((fit) => fit[region])));
  const all = of('all 68').sort((a, b) => a - b);
  const fits = scored.flatMap((s) => s.fits);
  const above = fits.filter((fit) => fit['all 68'] > 0.1).length;
  return [
    ...[name, kind, scored.length, fixed(mean(all), 4), fixed(all[all.length >> 1], 4)],
    ...[fixed(all[Math.floor(0.9 * all.length)], 4), fixed(mean(of('inner 51')), 4)],
    ...[`${fixed((100 * above) / fits.length)} %`, fixed(mean(scored.map((s) => s.once)), 4)],
    fixed(mean(scored.map((s) => s.still)), 4),
  ];
}

async function photographs(given, report, model, library) {
  const { mapBox } = library;
  const { importTs, openBrowser, shared } = given;
  const all = shared && (await annotatedFaces(shared, openBrowser));
  if (!all) return report.line('Photographs: skipped, there is no ../shared/data/faces.');
  report.heading('Photographs');
  const images = all.filter(({ set }) => set === 'helen' || set === 'afw');
  const { createEngine } = await importTs('bench/faces/parts/library.ts');
  const engine = await createEngine();
  const found = await detectAll(engine, images, {});
  await engine.dispose();
  const score = (image, boxes) => {
    const { points } = image.faces[0];
    const scores = scoreOf(library, image, boxes, model, points);
    return { ...scores, still: mean(boxes.map((box) => errors(inBox(model.mean, box), points).nme)) };
  };
  const rows = [HEAD];
  const told = {};
  for (const set of ['helen', 'afw']) {
    const own = images.filter((image) => image.set === set);
    const kinds = {
      "the rule's": (image) => [boxOf(image.faces[0].points)],
      "the rule's, jitter": (image, random) => spoiled(image.faces[0].points, random, true),
      "as the detector's": (image, random) => spoiled(image.faces[0].points, random, false),
      "the detector's": (image) => {
        const { box } = image.faces[0];
        const [best] = [...found[images.indexOf(image)]].sort((a, b) => overlap(b, box) - overlap(a, box));
        return best && overlap(best, box) > 0.4 ? [mapBox(best, model)] : [];
      },
    };
    for (const [kind, boxesOf] of Object.entries(kinds)) {
      const random = generator(1);
      const scored = own.flatMap((image) => {
        const boxes = boxesOf(image, random);
        return boxes.length ? [score(image, boxes)] : [];
      });
      rows.push(rowOf(set, kind, scored));
      if (kind === "the rule's, jitter") told[set] = scored;
    }
  }
  report.table(rows);
  const { size, x, y } = detectorError;
  report.line(
    `The rule: 1.08 times 1.05 times the mean side of the box about the points, 9 % higher. As the detector's: side, x and y off by ${size}, ${x} and ${y} of it (standard deviations); jitter: anything up to that, equally likely; ${DRAWS} draws a face, seed 1.`,
  );
  return told;
}

const bands = (value, limits, unit) => {
  const to = limits.find((limit) => Math.abs(value) < limit);
  const from = limits[limits.indexOf(to) - 1] ?? (to ? 0 : limits.at(-1));
  return to ? `${from} to ${to}${unit}` : `above ${from}${unit}`;
};
const wornOf = (worn) => (Array.isArray(worn) ? worn : Object.keys(worn ?? {}).filter((key) => worn[key]));
const GROUPS = {
  tone: ({ tone }) => [`tone ${tone}`],
  yaw: ({ yaw }) => [`yaw ${bands(yaw, [15, 30, 40], '°')}`],
  pitch: ({ pitch }) => [`pitch ${bands(pitch, [10, 20], '°')}`],
  roll: ({ roll }) => [`roll ${bands(roll, [10, 20], '°')}`],
  worn: ({ worn }) => (wornOf(worn).length ? wornOf(worn).map((name) => `with ${name}`) : ['nothing worn']),
};

async function renders(folder, report, model, library) {
  const { measureFace } = library;
  const faces = readFaces(folder);
  report.heading(`Rendered faces, boxes as the detector's`);
  const random = generator(2);
  const scored = faces.records.map((record, n) => {
    const points = faces.shapes.subarray(136 * n, 136 * (n + 1));
    const boxes = spoiled(points, random, false).slice(0, 1);
    const { width, height, data } = imageOf(faces, n);
    const image = { width, height, data: new Uint8Array(data) };
    const began = performance.now();
    library.fits(image, boxes, model, false);
    const milliseconds = performance.now() - began;
    const scores = scoreOf(library, image, boxes, model, points);
    const still = errors(inBox(model.mean, boxes[0]), points).nme;
    return {
      record,
      points,
      ...scores,
      shape: scores.found[0].shape,
      milliseconds,
      still,
    };
  });
  const rows = [HEAD, rowOf('all', 'jitter', scored)];
  for (const groupsOf of Object.values(GROUPS)) {
    const names = [...new Set(scored.flatMap(({ record }) => groupsOf(record)))].sort();
    for (const name of names)
      rows.push(
        rowOf(
          name,
          'jitter',
          scored.filter(({ record }) => groupsOf(record).includes(name)),
        ),
      );
  }
  report.table(rows);
  const regions = Object.keys(REGIONS).map((name) => [name, fixed(mean(scored.map(({ fits }) => fits[0][name])), 4)]);
  report.table([['region', 'NME mean'], ...regions]);
  const tones = rows.filter(([name]) => name.startsWith('tone')).map((row) => Number(row[3]));
  report.line(
    `The worst skin tone has ${fixed(Math.max(...tones) / Math.min(...tones), 2)} times the best one's error.`,
  );
  const times = scored.map(({ milliseconds }) => milliseconds).sort((a, b) => a - b);
  report.line(`One fit takes ${fixed(times[times.length >> 1], 2)} ms in the median, the picture's copy included.`);
  poseTables(report, scored, measureFace);
  return scored;
}

export default async function (given) {
  const { args, log, root } = given;
  const file = argument(args, '--model') ?? path.join(root, 'models/landmarks-68.bin');
  if (!existsSync(file)) return log(`There is no ${file}: name a model with --model.`);
  const report = new Report(given);
  const library = await fitter(given);
  const bytes = new Uint8Array(readFileSync(file));
  const began = performance.now();
  const model = library.readLandmarks(bytes);
  const gray = { width: 200, height: 200, data: new Uint8Array(40_000).map((_, i) => i % 251) };
  library.fits(gray, [{ x: 40, y: 40, width: 120, height: 120 }], model);
  const first = performance.now() - began;
  const { cascades, trees, depth, pixels } = model;
  report.line(
    `${path.basename(file)}: ${bytes.length} bytes, ${cascades} cascades of ${trees} trees of depth ${depth}, ${pixels} feature pixels.`,
  );
  report.line(`From the bytes to the first points: ${fixed(first, 0)} ms.`);
  const told = (await photographs(given, report, model, library)) ?? {};
  const folder = argument(args, '--faces');
  if (folder) told.renders = await renders(folder, report, model, library);
  if (model.judged) reliability(report, told);
  library.dispose();
  report.finish('lab/results/models.md', 'landmarks faces', 'landmarks faces');
}
