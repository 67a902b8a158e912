// Faces: the error of landmarks by skin tone, and what it hangs on: levels, skin. --faces FOLDER of rendered faces it has not learned from
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { interval, meanInterval } from './eyes/folds.mjs';
import { generator } from '../../tools/random.mjs';
import { imageOf, readFaces } from '../landmarks/dataset.mjs';
import { boxOf, jittered } from '../landmarks/shapes.mjs';
import { argument } from '../../bench/parts/kept-result.mjs';
import { mean, quantile } from '../../bench/parts/numbers.mjs';
import { atMost, fixed, Report } from '../../bench/parts/report.mjs';
import { errors } from '../../bench/faces/parts/data.mjs';
import { fitter } from '../../bench/faces/parts/fits.mjs';

const TONES = [0, 1, 2, 3, 4, 5];
const DARKEST = 5;
/** Boxes of a face. */
const DRAWS = 2;
/** Times the best tone's error that the worst may have. */
const WANTED = 1.25;
/** Of the darkest faces so many are rendered once more, as this tone. */
const [AGAIN, LIGHTER] = [60, 1];

/** Share of a box's pixels that are as dark as each level or darker. */
export function sharesIn({ width, height, data }, box) {
  const counts = new Float64Array(256);
  for (let y = Math.max(0, Math.floor(box.y)); y < Math.min(height, box.y + box.height); y++)
    for (let x = Math.max(0, Math.floor(box.x)); x < Math.min(width, box.x + box.width); x++)
      counts[data[y * width + x]]++;
  const all = counts.reduce((sum, v) => sum + v, 0);
  let sum = 0;
  return counts.map((v) => (sum += v) / all);
}

const LEVELS = Array.from({ length: 256 }, (_, v) => v);
/** What levels become before the fit, of the shares in the box. */
const WAYS = {
  'as they are': () => LEVELS,
  'brighter: their root': () => LEVELS.map((v) => 255 * Math.sqrt(v / 255)),
  'equalized in the box': (shares) => LEVELS.map((v) => 255 * shares[v]),
};

/** Errors of every face in its boxes, by the way: { record, person, errors: { way: [] } }. */
function fitAll(faces, library, model) {
  const random = generator(9);
  return faces.records.map((record, person) => {
    const points = faces.shapes.subarray(136 * person, 136 * (person + 1));
    const { data, ...size } = imageOf(faces, person);
    const boxes = Array.from({ length: DRAWS }, () => jittered(boxOf(points), random));
    const errorsOf = (pixels) =>
      boxes.map((box) => errors(library.fits({ ...size, data: pixels(box) }, [box], model)[0].shape, points).nme);
    const own = Object.entries(WAYS).map(([name, way]) => {
      const through = (box) => {
        const table = way(sharesIn({ ...size, data }, box));
        return Uint8Array.from(data, (v) => Math.max(0, Math.min(255, Math.round(table[v]))));
      };
      return [name, errorsOf(through)];
    });
    return { record, person, errorsOf, errors: Object.fromEntries(own) };
  });
}

/** Means by tone of faces drawn again, DRAWN times: 95 % of the worst by the best. */
export function ratioInterval(groups, random, drawn = 1000) {
  const ratios = Array.from({ length: drawn }, () => {
    const means = groups.map((list) => mean(list.map(() => list[Math.floor(random() * list.length)])));
    return Math.max(...means) / Math.min(...means);
  });
  return [0.025, 0.975].map((share) => quantile(ratios, share));
}

function byTone(report, fitted) {
  const [plain] = Object.keys(WAYS);
  const groups = (name) =>
    TONES.map((tone) => fitted.filter(({ record }) => record.tone === tone).map((one) => mean(one.errors[name])));
  const means = (name) => groups(name).map((list) => mean(list));
  const ratio = (name) => Math.max(...means(name)) / Math.min(...means(name));
  const own = fitted.filter(({ record }) => record.tone === DARKEST);
  const gain = (name) => {
    const values = own.map((one) => mean(one.errors[name]) - mean(one.errors[plain]));
    const [low, high] = meanInterval(values, own.map(({ person }) => person), generator(1)); // prettier-ignore
    return name === plain ? '' : `${fixed(mean(values), 4)} (${fixed(low, 4)} to ${fixed(high, 4)})`;
  };
  report.table([
    ['levels', ...TONES.map((tone) => `tone ${tone}`), 'worst by best', `tone ${DARKEST}, change and its 95 %`],
    ...Object.keys(WAYS).map((name) => [name, ...means(name).map((v) => fixed(v, 4)), fixed(ratio(name), 2), gain(name)]), // prettier-ignore
  ]);
  report.table([
    ['tone', 'faces', 'NME mean', '95 %', 'median', 'fits above 0.10'],
    ...TONES.map((tone, t) => {
      const list = groups(plain)[t];
      const [low, high] = meanInterval(list, list.map((_, i) => i), generator(2)); // prettier-ignore
      const fits = fitted.filter(({ record }) => record.tone === tone).flatMap((one) => one.errors[plain]);
      const bad = interval(fits.filter((error) => error > 0.1).length, fits.length);
      return [tone, list.length, fixed(mean(list), 4), `${fixed(low, 4)} to ${fixed(high, 4)}`, fixed(quantile(list, 0.5), 4), bad]; // prettier-ignore
    }),
  ]);
  const [low, high] = ratioInterval(groups(plain), generator(3));
  report.line(atMost(`times the best tone's error, of the worst (95 % of faces drawn again: ${fixed(low, 2)} to ${fixed(high, 2)})`, ratio(plain), WANTED)); // prettier-ignore
}

/** The darkest rendered once more with lighter skin and lips, all else as it was. */
async function lightened(report, { importTs, shared }, fitted, side) {
  if (!shared) return report.line('Rendered once more: skipped, there is no ../shared/data/ict.');
  const { drawFraming, drawSettings, grayOf, readModel, Renderer, skinOf } =
    await importTs('lab/faces/render/index.ts');
  const renderer = new Renderer(readModel(readFileSync(path.join(shared, 'data/ict/ict-face.bin'))));
  const darkest = fitted.filter(({ record }) => record.tone === DARKEST).slice(0, AGAIN);
  const render = (settings) => Uint8Array.from(grayOf(renderer.render(settings, drawFraming(settings.seed, side)).data)); // prettier-ignore
  const pairs = darkest.map(({ record, errorsOf, errors: own }) => {
    const settings = drawSettings(record.seed);
    const { skin, lips } = settings.look;
    const color = lips.color.map((v, c) => Math.min(0.7, (v * skinOf(LIGHTER)[c]) / skin[c]));
    const lighter = render({ ...settings, look: { ...settings.look, skin: skinOf(LIGHTER), lips: { ...lips, color } } }); // prettier-ignore
    return [own['as they are'], errorsOf(() => lighter)];
  });
  const row = (name, k) => {
    const list = pairs.flatMap((pair) => pair[k]);
    return [name, fixed(mean(list), 4), fixed(quantile(list, 0.5), 4), interval(list.filter((error) => error > 0.1).length, list.length)]; // prettier-ignore
  };
  report.table([
    [`${pairs.length} faces of tone ${DARKEST}`, 'NME mean', 'median', 'fits above 0.10'],
    row('as they are', 0),
    row(`skin and lips of tone ${LIGHTER}, all else the same`, 1),
  ]);
  const values = pairs.map(([before, after]) => mean(after) - mean(before));
  const [low, high] = meanInterval(values, values.map((_, i) => i), generator(4)); // prettier-ignore
  report.line(`The change of each: ${fixed(mean(values), 4)} in the mean (95 %: ${fixed(low, 4)} to ${fixed(high, 4)}).`); // prettier-ignore
}

export default async function tones(given) {
  const { args, log, root } = given;
  const folder = argument(args, '--faces');
  if (!folder) return log('needs --faces FOLDER: npm run lab -- render-faces FOLDER --seed 31 --count 1500');
  const report = new Report(given);
  const library = await fitter(given);
  const model = library.readLandmarks(new Uint8Array(readFileSync(path.join(root, 'models/landmarks-68.bin'))));
  const faces = readFaces(folder);
  const fitted = fitAll(faces, library, model);
  report.heading(`Errors by skin tone: ${faces.count} rendered faces, ${DRAWS} boxes each`);
  byTone(report, fitted);
  report.heading('The same persons with lighter skin');
  await lightened(report, given, fitted, faces.side);
  library.dispose();
  report.finish('lab/results/models.md', 'tones faces', 'tones faces --faces FOLDER');
}
