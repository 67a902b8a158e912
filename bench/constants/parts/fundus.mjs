// Constants by which a picture is taken for a fundus photograph, by such photographs and by pictures of other things.
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { SETS } from '../../vessels/parts/sets.mjs';
import { wholeImages } from './photographs.mjs';
import { at } from './lines.mjs';

const OTHERS = [
  'faces/helen/images',
  'faces/afw/images',
  'filters/images',
  'flow/RubberWhale',
  'flow/Dimetrodon',
  'free',
];

export const about = (pictures) =>
  `${pictures.filter(({ fundus }) => fundus).length} fundus photographs and ${pictures.filter(({ fundus }) => !fundus).length} pictures of other things, ` +
  'default settings. Worth: the share of the fundus photographs that have a confidence of 0.5 and more and no warning, less the share ' +
  'of the others without a warning. Groups: pictures.';

export const constants = at('src/vessels', [
  ['segment/confidence.ts', 'ramp(field.area, 0.2', 0.15, 0.27],
  ['segment/confidence.ts', 'ramp(field.area, 0.2, 0.4', 0.33, 0.5],
  ['segment/confidence.ts', 'fieldSize.height), 0.82', 0.78, 0.86],
  ['segment/confidence.ts', 'fieldSize.height), 0.82, 0.93', 0.9, 0.96],
  ['segment/confidence.ts', 'ramp(contrasts.spread, 8', 6, 10],
  ['segment/confidence.ts', 'ramp(contrasts.spread, 8, 12', 10, 15],
  ['segment/confidence.ts', 'ramp(contrasts.darkness, 1.03', 1, 1.07],
  ['segment/confidence.ts', 'ramp(contrasts.darkness, 1.03, 1.18', 1.13, 1.25],
  ['segment/confidence.ts', 'ramp(contrasts.sharpness, 0.56', 0.5, 0.61],
  ['segment/confidence.ts', 'ramp(contrasts.sharpness, 0.56, 0.68', 0.62, 0.75],
  ['segment/confidence.ts', 'ramp(diameter * block, 100', 70, 140],
  ['segment/confidence.ts', 'ramp(diameter * block, 100, 300', 240, 380],
  ['segment/confidence.ts', '(red + 1), 0.02', 0, 0.05],
  ['segment/confidence.ts', '(red + 1), 0.02, 0.15', 0.11, 0.2],
  ['segment/confidence.ts', '(green + 1), -0.3', -0.4, -0.2],
  ['segment/confidence.ts', 'levels.median, 2', 1.6, 2.4],
  ['segment/confidence.ts', 'levels.median, 2, 3', 2.5, 3.7],
  ['segment/confidence.ts', 'ramp(fraction, 0.01', 0.007, 0.015],
  ['segment/confidence.ts', 'ramp(fraction, 0.01, 0.03', 0.022, 0.04],
  ['segment/confidence.ts', 'ramp(fraction, 0.2', 0.16, 0.24],
  ['segment/confidence.ts', 'ramp(fraction, 0.2, 0.3', 0.26, 0.36],
  ['segment/confidence.ts', 'trees / total : 0, 0.2', 0.14, 0.28],
  ['segment/confidence.ts', 'trees / total : 0, 0.2, 0.5', 0.4, 0.62],
  ['segment/confidence.ts', 'diameter / 6', 4.5, 8],
  ['segment/confidence.ts', 'term >= 0.5', 0.4, 0.6],
  ['segment/evidence.ts', 'SAMPLES = 96', 70, 130],
  ['segment/evidence.ts', 'REACH = 6', 4.5, 8],
  ['segment/evidence.ts', 'STRENGTH = 0.98', 0.97, 0.99],
  ['lines/noise.ts', 'const SIGNAL = 0.95', 0.93, 0.97],
]);

export async function prepare({ shared, openBrowser }) {
  if (!shared || !existsSync(path.join(shared, 'data/fundus'))) return null;
  const own = SETS.flatMap(({ photographs, half }) =>
    photographs.map(({ image }) => ({ name: image, fundus: true, half, file: `fundus/${image}` })),
  );
  const others = OTHERS.flatMap((folder) =>
    readdirSync(path.join(shared, 'data', folder))
      .filter((name) => /\.(jpg|png)$/i.test(name) && !/retina|microaneurysms/i.test(name))
      .map((name) => ({
        name: `${folder}/${name}`,
        fundus: false,
        half: folder !== 'filters/images',
        file: `${folder}/${name}`,
      })),
  );
  const all = [...own, ...others];
  const images = await wholeImages(
    all.map(({ file, half }) => ({ file: path.join(shared, 'data', file), half })),
    openBrowser,
  );
  return all.map(({ name, fundus }, i) => ({ name, fundus, image: images[i] }));
}

/** By picture: that it is one of either kind, and whether it is taken for what it is. */
export async function measure({ importTs }, pictures) {
  const { createEngine } = await importTs('src/index.ts');
  const engine = await createEngine({ worker: false, backend: 'wasm' });
  const groups = {};
  for (const { name, fundus, image } of pictures) {
    const { confidence, warnings } = await engine.vessels(image);
    const good = confidence >= 0.5 && !warnings.length;
    groups[name] = fundus ? { photographs: 1, taken: Number(good) } : { others: 1, silent: Number(!warnings.length) };
  }
  await engine.dispose();
  return groups;
}

export const worth = ({ photographs, taken, others, silent }) => taken / photographs - silent / others;
export const figures = ({ photographs, taken, others, silent }) =>
  `${taken} of ${photographs} fundus photographs without a warning, ${silent} of ${others} others without one`;
