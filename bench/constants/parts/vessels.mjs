// Constants of the mask of vessels, by photographs with manual masks.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { SETS } from '../../vessels/parts/sets.mjs';
import { wholeImages } from './photographs.mjs';
import { at } from './lines.mjs';

export const about = (photographs) =>
  `${photographs.length} photographs with manual masks (${SETS.map(({ name }) => name).join(', ')}; HRF at half size), masks of the ` +
  'whole tree (`scales: all`). Worth: accuracy and Dice in the field of view, mean of both, mean of the photographs, each a group.';

export const constants = at('src/vessels', [
  ['vessels.ts', 'all: [0.4', 0.33, 0.48],
  ['vessels.ts', 'all: [0.4, 0.65', 0.55, 0.75],
  ['vessels.ts', 'all: [0.4, 0.65, 1.05', 0.9, 1.2],
  ['vessels.ts', 'all: [0.4, 0.65, 1.05, 1.7', 1.45, 2],
  ['vessels.ts', 'all: [0.4, 0.65, 1.05, 1.7, 2.7', 2.2, 3.3],
  ['vessels.ts', '=> 5', 4, 6],
  ['vessels.ts', '=> 5 + 3', 2.3, 3.8],
  ['vessels.ts', 'const factors = { thick: 1.25, all: 1.1', 1, 1.2],
  ['vessels.ts', 'HALF_PIXEL = 0.35', 0.25, 0.45],
  ['vessels.ts', 'MOST = 0.45', 0.35, 0.6],
  ['vessels.ts', 'STRONG = 1.5', 1.25, 1.8],
  ['vessels.ts', 'AREA = 100', 70, 140],
  ['vessels.ts', 'FILL = 0.5', 0.38, 0.65],
  ['lines/scale.ts', 'SMALLEST = 1.5', 1.2, 1.9],
  ['segment/contrast.ts', 'BACKGROUND = 0.03', 0.022, 0.042],
  ['segment/contrast.ts', 'CELLS = 3', 2, 4],
  ['segment/contrast.ts', 'CEILING = 1.1', 1, 1.2],
  ['segment/contrast.ts', 'OFFSET = 0.25', 0.15, 0.4],
  ['segment/levels.ts', 'LEAST = 0.1', 0.07, 0.14],
  ['segment/field-of-view.ts', 'BEGIN = 0.15', 0.1, 0.2],
  ['segment/field-of-view.ts', 'BLACK = 0.75', 0.6, 0.9],
]);

export async function prepare({ shared, openBrowser }) {
  if (!shared || !existsSync(path.join(shared, 'data/fundus'))) return null;
  const list = SETS.flatMap(({ name, photographs, half }) =>
    photographs.map(({ image, truth, field }) => ({ name: `${name} ${image}`, half, files: [image, truth, field] })),
  );
  const files = list.flatMap(({ half, files: own }) =>
    own.map((file) => file && { file: path.join(shared, 'data/fundus', file), half }),
  );
  const images = await wholeImages(files, openBrowser);
  return list.map(({ name }, i) => {
    const [image, truth, field] = images.slice(3 * i, 3 * i + 3);
    const firsts = ({ data }) => data.filter((_, k) => k % 4 === 0);
    return { name, image, truth: firsts(truth), field: field && firsts(field) };
  });
}

/** By photograph: accuracy, Dice, and that it is one. */
export async function measure({ importTs }, photographs) {
  const { createEngine } = await importTs('src/index.ts');
  const { count } = await importTs('bench/vessels/parts/page.ts');
  const engine = await createEngine({ worker: false, backend: 'wasm' });
  const groups = {};
  for (const { name, image, truth, field } of photographs) {
    const found = await engine.vessels(image, { scales: 'all' });
    const { accuracy, dice } = count(found.mask.data, truth, field ?? found.fieldOfView.data);
    groups[name] = { photographs: 1, accuracy, dice };
  }
  await engine.dispose();
  return groups;
}

export const worth = ({ photographs, accuracy, dice }) => (accuracy + dice) / (2 * photographs);
export const figures = ({ photographs, accuracy, dice }) =>
  `accuracy ${(accuracy / photographs).toFixed(4)}, Dice ${(dice / photographs).toFixed(4)}, mean of ${photographs} photographs`;
